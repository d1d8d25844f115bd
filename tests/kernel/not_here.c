// What a guest does not have is reported in a line that says what to do.
// run: -n 1 --tag none
// expect-stdout:
// process: Function not implemented
// fork: Function not implemented
// watch: Function not implemented
// named pipe: Function not implemented
// expect-stderr: core 0: system call 120 \(clone\) is not available
// expect-stderr: core 0: system call 2 \(fork\) is not available
// expect-stderr: core 0: system call 332 \(inotify_init1\) is not available
// expect-stderr: core 0: system call 14 \(mknod\) is not available
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    if (syscall(SYS_clone, CLONE_VM | CLONE_VFORK, 0) < 0)
        printf("process: %s\n", strerror(errno));
    if (fork() < 0)
        printf("fork: %s\n", strerror(errno));
    if (inotify_init1(0) < 0)
        printf("watch: %s\n", strerror(errno));
    if (mkfifo("/tmp/pipe", 0600) < 0)
        printf("named pipe: %s\n", strerror(errno));
    return 0;
}
