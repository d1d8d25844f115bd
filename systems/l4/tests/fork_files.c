// Open files belong to all processes that have them: one offset, and one end.
// run: --kernel l4 --cores 3
// stdin: first
// stdin: second
// share: yes
// expect-stdout:
// the child read: first
// the parent read: second
// the file: parent child parent again, 26 bytes
// the child's own file: made
// at the parent's end: gone
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void read_line(const char *who)
{
    char text[80];
    ssize_t some = read(0, text, sizeof(text) - 1);

    text[some > 0 ? some : 0] = 0;
    printf("%s read: %s", who, text);
    fflush(stdout);
}

static void put(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        exit(1);
}

static void in_child(int fd)
{
    int own;

    read_line("the child");
    put(fd, "child ");
    own = open("own.txt", O_CREAT | O_WRONLY, 0644);
    put(own, "made\n");
    _exit(0);
}

static void show(const char *what, const char *name)
{
    char text[80] = "";
    int fd = open(name, O_RDONLY);

    if (read(fd, text, sizeof(text) - 1) < 0)
        exit(1);
    close(fd);
    printf("%s: %s", what, text);
}

int main(void)
{
    int fd = open("both.txt", O_CREAT | O_TRUNC | O_RDWR, 0644);
    struct stat status;
    pid_t child;

    if (fd < 0)
        return 1;
    put(fd, "parent ");
    child = fork();
    if (child == 0)
        in_child(fd);
    if (waitpid(child, NULL, 0) != child)
        return 1;
    read_line("the parent");
    put(fd, "parent again\n");
    fstat(fd, &status);
    lseek(fd, -1, SEEK_END);
    put(fd, ",");
    show("the file", "both.txt");
    printf(" %d bytes\n", (int)status.st_size);
    show("the child's own file", "own.txt");
    unlink("own.txt");
    printf("at the parent's end: %s\n",
           access("own.txt", F_OK) ? "gone" : "still there");
    return 0;
}
