// Names that end in "/" are directories', a file is not made where there is
// no descriptor for it, and standard input says what it is.
// run: -n 1 --tag none
// also-slow: --kernel l4
// share: yes
// stdin: text
// expect-stdout:
// open file/: Not a directory
// stat file/: Not a directory
// create new/: Is a directory
// open directory/: yes
// at the limit: No file descriptors available, and no file
// input: terminal 0, stream 1; output: terminal 1
// read: text
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat status;
    char line[16];
    int last = -1;
    int fd;

    close(open("/file", O_CREAT | O_WRONLY, 0644));
    mkdir("/directory", 0755);
    open("/file/", O_RDONLY);
    printf("open file/: %s\n", strerror(errno));
    stat("/file/", &status);
    printf("stat file/: %s\n", strerror(errno));
    open("/new/", O_CREAT | O_WRONLY, 0644);
    printf("create new/: %s\n", strerror(errno));
    fd = open("/directory/", O_RDONLY);
    printf("open directory/: %s\n", fd >= 0 ? "yes" : "no");
    while ((fd = dup(0)) >= 0)
        last = fd;
    fd = open("/late", O_CREAT | O_WRONLY, 0644);
    printf("at the limit: %s, ", fd < 0 ? strerror(errno) : "opened");
    close(last);
    printf("and %s\n", stat("/late", &status) == 0 ? "a file" : "no file");
    fstat(0, &status);
    printf("input: terminal %d, stream %d; ", isatty(0),
           S_ISFIFO(status.st_mode));
    printf("output: terminal %d\n", isatty(1));
    printf("read: %s", fgets(line, sizeof(line), stdin));
    unlink("/file");
    rmdir("/directory");
    return 0;
}
