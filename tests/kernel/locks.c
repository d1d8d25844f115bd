// A lock on bytes of a file keeps the program of another core out: four cores
// count in one file, and none of their steps is lost. What is not a file of
// the shared folder cannot be locked, and says so.
// run: -n 4 --tag none
// also-slow: --kernel l4
// share: yes
// cc: -lrcce
// expect-stdout:
// counted: 40
// next to it: granted; behind it: refused; to read: granted
// its owner: another process, bytes 4 to 11
// whole file: refused; after a close: granted
// after its owner ended: granted
// a lock to read, write only: Bad file descriptor
// a device: No locks available
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "RCCE.h"

#define STEPS 10

static int control(int fd, int command, short type, off_t start, off_t length)
{
    struct flock lock = {type, SEEK_SET, start, length, 0};

    return fcntl(fd, command, &lock);
}

static const char *attempt(int fd, short type, off_t start, off_t length)
{
    if (control(fd, F_SETLK, type, start, length) == 0)
        return "granted";
    return errno == EAGAIN ? "refused" : strerror(errno);
}

// Read, add one, write: what one core does must be over before the next.
static void count(int fd)
{
    for (int step = 0; step < STEPS; step++) {
        int number = 0;

        control(fd, F_SETLKW, F_WRLCK, 0, sizeof(number));
        pread(fd, &number, sizeof(number), 0);
        number++;
        pwrite(fd, &number, sizeof(number), 0);
        control(fd, F_SETLK, F_UNLCK, 0, sizeof(number));
    }
}

static void ask(int fd)
{
    struct flock lock = {F_WRLCK, SEEK_SET, 0, 0, 0};

    printf("next to it: %s; ", attempt(fd, F_WRLCK, 0, 4));
    printf("behind it: %s; ", attempt(fd, F_WRLCK, 11, 0));
    printf("to read: %s\n", attempt(fd, F_RDLCK, 20, 4));
    control(fd, F_SETLK, F_UNLCK, 0, 0);
    fcntl(fd, F_GETLK, &lock);
    printf("its owner: %s, bytes %d to %d\n",
           lock.l_pid == getpid() ? "this process" : "another process",
           (int)lock.l_start, (int)(lock.l_start + lock.l_len - 1));
    printf("whole file: %s; ",
           flock(fd, LOCK_EX | LOCK_NB) ? "refused" : "granted");
}

int main(int argc, char **argv)
{
    int ue, fd, other, number = 0;

    RCCE_init(&argc, &argv);
    ue = RCCE_ue();
    fd = open("/number", O_RDWR | O_CREAT, 0644);
    RCCE_barrier(&RCCE_COMM_WORLD);
    count(fd);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (ue == 0) {
        pread(fd, &number, sizeof(number), 0);
        printf("counted: %d\n", number);
    }
    if (ue == 1) {
        control(fd, F_SETLK, F_WRLCK, 2, 20);
        control(fd, F_SETLK, F_UNLCK, 0, 4);
        control(fd, F_SETLK, F_UNLCK, 12, 0);
        control(fd, F_SETLK, F_RDLCK, 20, 4);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (ue == 0)
        ask(fd);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (ue == 1)
        close(dup(fd)); // as POSIX has it, with it go the file's locks
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (ue == 0)
        printf("after a close: %s\n",
               flock(fd, LOCK_EX | LOCK_NB) ? "refused" : "granted");
    if (ue == 0)
        flock(fd, LOCK_UN);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (ue == 1) {
        flock(fd, LOCK_EX);
        RCCE_barrier(&RCCE_COMM_WORLD);
        return 0;
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (ue != 0)
        return 0;
    printf("after its owner ended: %s\n",
           control(fd, F_SETLKW, F_WRLCK, 0, 0) ? strerror(errno) : "granted");
    other = open("/number", O_WRONLY);
    printf("a lock to read, write only: %s\n", attempt(other, F_RDLCK, 0, 1));
    other = open("/dev/rckncm", O_RDWR);
    printf("a device: %s\n", attempt(other, F_WRLCK, 0, 1));
    unlink("/number");
    return 0;
}
