// Symbolic links below /tmp, to files and folders there and elsewhere.
// cc: -O1 -D_GNU_SOURCE
// run: -n 1 --tag none
// expect-stdout:
// abs 1 /tmp/file text link 9
// rel file text
// through a folder: text
// O_NOFOLLOW Symbolic link loop
// round Symbolic link loop
// EEXIST EINVAL
// out of /tmp: 1
// kinds 10 8 4
// made through a link: 1
// gone: 1 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *text_of(const char *path)
{
    static char text[20];
    FILE *file = fopen(path, "r");

    text[0] = 0;
    if (file) {
        fgets(text, sizeof text, file);
        fclose(file);
    }
    return file ? text : strerror(errno);
}

static int kind_of(const char *wanted)
{
    DIR *folder = opendir("/tmp");
    int kind = -1;

    for (struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, wanted) == 0)
            kind = entry->d_type;
    closedir(folder);
    return kind;
}

static const char *failed(int result)
{
    return result == 0       ? "none"
           : errno == EEXIST ? "EEXIST"
           : errno == EINVAL ? "EINVAL"
                             : strerror(errno);
}

int main(void)
{
    char path[100];
    struct stat own, other;
    FILE *file = fopen("/tmp/file", "w");
    ssize_t length;

    fputs("text", file);
    fclose(file);
    if (symlink("/tmp/file", "/tmp/abs") || symlink("file", "/tmp/rel") ||
        mkdir("/tmp/folder", 0700) || symlink("folder", "/tmp/way") ||
        symlink("../file", "/tmp/folder/up") || symlink("b", "/tmp/a") ||
        symlink("a", "/tmp/b") || symlink("/proc/self", "/tmp/self"))
        return 1;
    length = readlink("/tmp/abs", path, sizeof path);
    lstat("/tmp/abs", &own);
    stat("/tmp/abs", &other);
    printf("abs %d %.*s %s link %d\n", S_ISREG(other.st_mode), (int)length,
           path, text_of("/tmp/abs"),
           S_ISLNK(own.st_mode) ? (int)own.st_size : 0);
    length = readlink("/tmp/rel", path, sizeof path);
    printf("rel %.*s %s\n", (int)length, path, text_of("/tmp/rel"));
    printf("through a folder: %s\n", text_of("/tmp/way/up"));
    printf("O_NOFOLLOW %s\n", failed(open("/tmp/abs", O_RDONLY | O_NOFOLLOW)));
    printf("round %s\n", text_of("/tmp/a"));
    printf("%s ", failed(symlink("x", "/tmp/rel")));
    printf("%s\n", failed((int)readlink("/tmp/file", path, sizeof path)));
    printf("out of /tmp: %d\n",
           strncmp(text_of("/tmp/self/status"), "Name", 4) == 0);
    printf("kinds %d %d %d\n", kind_of("rel"), kind_of("file"),
           kind_of("folder"));
    symlink("later", "/tmp/before");
    file = fopen("/tmp/before", "w");
    printf("made through a link: %d\n",
           file && access("/tmp/later", F_OK) == 0);
    unlink("/tmp/abs");
    rename("/tmp/rel", "/tmp/moved");
    printf("gone: %d %d\n",
           access("/tmp/file", F_OK) == 0 && lstat("/tmp/abs", &own),
           strcmp(text_of("/tmp/moved"), "text") == 0);
    return 0;
}
