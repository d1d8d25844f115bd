// /tmp without any shared folder: files and folders in memory, and copies from file to file.
// run: -n 1
// also-slow: --kernel l4
// expect-stdout:
// tmpfile 5 hello; mkstemp 600; a name that is there 17
// folder 0, again 17, without parent 2, of a file 20
// listed: a deep
// deep: b
// not empty 39, is a folder 21, is none 20
// moved: b at /tmp/t/other/b, into itself 22, over it 39, a file over it 21
// two names of one file: 0, both there 0 0
// size 3, mode 600, a link 0, no link there 22
// sendfile 4: 2345, then at 6; copied 3: 012, from 3
// of none 0, at a file that is appended to 22
// locks 0 0
// changed to /tmp/t: a is there
// removed: 0 0 0 0, left 2
// 100 files one after the other
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(int result)
{
    return result < 0 ? errno : result;
}

static void make(const char *name, const char *text)
{
    int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);

    write(fd, text, strlen(text));
    close(fd);
}

static void unnamed(void)
{
    char text[6] = "", name[] = "/tmp/nXXXXXX";
    FILE *file = tmpfile();
    struct stat status;
    int fd = mkstemp(name);

    fputs("hello", file);
    rewind(file);
    printf("tmpfile %zu %s", fread(text, 1, 5, file), text);
    fstat(fd, &status);
    printf("; mkstemp %o; a name that is there %d\n", status.st_mode & 0777,
           failed(open(name, O_CREAT | O_EXCL | O_RDWR, 0600)));
    unlink(name);
    close(fd);
    fclose(file);
}

static void list(const char *name)
{
    DIR *folder = opendir(name);
    struct dirent *entry;

    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.')
            printf(" %s", entry->d_name);
    puts("");
    closedir(folder);
}

static void folders(void)
{
    printf("folder %d", mkdir("/tmp/t", 0755));
    printf(", again %d", failed(mkdir("/tmp/t", 0755)));
    printf(", without parent %d", failed(mkdir("/tmp/no/t", 0755)));
    make("/tmp/t/a", "0123456789");
    printf(", of a file %d\n", failed(open("/tmp/t/a", O_DIRECTORY)));
    mkdir("/tmp/t/deep", 0755);
    make("/tmp/t/deep/b", "b");
    printf("listed:");
    list("/tmp/t");
    printf("deep:");
    list("/tmp/t/deep");
    printf("not empty %d", failed(rmdir("/tmp/t/deep")));
    printf(", is a folder %d", failed(unlink("/tmp/t/deep")));
    printf(", is none %d\n", failed(rmdir("/tmp/t/a")));
}

static void moves(void)
{
    char text[2] = "";
    int fd;

    rename("/tmp/t/deep", "/tmp/t/other");
    fd = open("/tmp/t/other/b", O_RDONLY);
    read(fd, text, 1);
    close(fd);
    printf("moved: %s at /tmp/t/other/b", text);
    printf(", into itself %d",
           failed(rename("/tmp/t/other", "/tmp/t/other/more")));
    mkdir("/tmp/t/empty", 0755);
    printf(", over it %d", failed(rename("/tmp/t/empty", "/tmp/t/other")));
    printf(", a file over it %d\n", failed(rename("/tmp/t/a", "/tmp/t/empty")));
}

/* POSIX, rename(): names of one file stay as they are. */
static void names(void)
{
    make("/tmp/t/one", "1");
    link("/tmp/t/one", "/tmp/t/two");
    printf("two names of one file: %d",
           failed(rename("/tmp/t/one", "/tmp/t/two")));
    printf(", both there %d %d\n", access("/tmp/t/one", F_OK),
           access("/tmp/t/two", F_OK));
    unlink("/tmp/t/one");
    unlink("/tmp/t/two");
}

static void changes(void)
{
    struct stat status;
    char text[8];

    make("/tmp/t/c", "longer");
    truncate("/tmp/t/c", 3);
    chmod("/tmp/t/c", 0600);
    stat("/tmp/t/c", &status);
    printf("size %ld, mode %o", (long)status.st_size, status.st_mode & 0777);
    printf(", a link %d", failed(symlink("c", "/tmp/t/l")));
    unlink("/tmp/t/l");
    printf(", no link there %d\n",
           failed((int)readlink("/tmp/t/c", text, sizeof text)));
    unlink("/tmp/t/c");
}

static void copies(void)
{
    int from = open("/tmp/t/a", O_RDONLY);
    int to = open("/tmp/t/d", O_CREAT | O_RDWR, 0600);
    char text[8] = "";
    off_t at = 2;

    printf("sendfile %ld", (long)sendfile(to, from, &at, 4));
    pread(to, text, 4, 0);
    printf(": %s, then at %ld", text, (long)at);
    ftruncate(to, 0);
    lseek(to, 0, SEEK_SET);
    printf("; copied %ld", (long)copy_file_range(from, NULL, to, NULL, 3, 0));
    text[pread(to, text, 7, 0)] = 0;
    printf(": %s, from %ld\n", text, (long)lseek(from, 0, SEEK_CUR));
    printf("of none %ld", (long)sendfile(to, from, NULL, 0));
    fcntl(to, F_SETFL, O_APPEND);
    printf(", at a file that is appended to %d\n",
           failed((int)sendfile(to, from, NULL, 1)));
    printf("locks %d %d\n", flock(to, LOCK_EX), lockf(to, F_LOCK, 0));
    close(from);
    close(to);
}

static void cleared(void)
{
    int a, b, c, d;

    chdir("/tmp/t");
    printf("changed to %s: a is %s\n", getcwd(NULL, 0),
           access("a", R_OK) ? "gone" : "there");
    a = unlink("a") | unlink("d");
    b = unlinkat(AT_FDCWD, "other/b", 0);
    c = rmdir("empty") | rmdir("other");
    d = rmdir("/tmp/t");
    printf("removed: %d %d %d %d, left %d\n", a, b, c, d,
           failed(access("/tmp/t", F_OK)));
}

int main(void)
{
    unnamed();
    folders();
    moves();
    names();
    changes();
    copies();
    cleared();
    for (int n = 0; n < 100; n++) {
        make("/tmp/again", "x");
        unlink("/tmp/again");
    }
    puts("100 files one after the other");
    return 0;
}
