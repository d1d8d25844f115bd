/* Folders besides the shared one: found, read, walked by links, and never
 * changed. test_mounts.py runs it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(const char *what, int result)
{
    printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
}

static void show(const char *path)
{
    char line[64] = "";
    FILE *file = fopen(path, "r");

    if (file && fgets(line, sizeof(line), file))
        line[strcspn(line, "\n")] = 0;
    printf("%s: %s\n", path, file ? line : strerror(errno));
    if (file)
        fclose(file);
}

static void change(void)
{
    int file = open("/lib/text", O_RDONLY);

    say("write", open("/lib/text", O_WRONLY));
    say("cut", open("/lib/text", O_RDONLY | O_TRUNC));
    say("make", open("/lib/new", O_WRONLY | O_CREAT, 0666));
    say("by a link", open("/into", O_WRONLY));
    say("mkdir", mkdir("/lib/folder", 0777));
    say("unlink", unlink("/lib/text"));
    say("move there", rename("/own", "/lib/own"));
    say("move from there", rename("/lib/text", "/text"));
    say("chmod", chmod("/lib/text", 0600));
    say("fchmod", fchmod(file, 0600));
    say("duplicate", fchmod(dup(file), 0600));
    close(file);
}

int main(void)
{
    char path[PATH_MAX];
    struct stat status;
    DIR *folder;
    struct dirent *entry;
    int names = 0;

    show("/lib/text");
    show("/lib/deep/inner");
    show("/library");
    show("/into");
    show("/lib/none");
    show("/more/text");
    say("stat", stat("/lib", &status));
    printf("%s\n", realpath("/lib/deep/../deep/inner", path));
    folder = opendir("/lib");
    while (folder && (entry = readdir(folder)))
        names += entry->d_name[0] != '.';
    printf("%d names\n", names);
    say("chdir", chdir("/lib/deep"));
    show("inner");
    show("../text");
    change();
    say("own", open("/own", O_WRONLY | O_CREAT, 0666));
    return 0;
}
