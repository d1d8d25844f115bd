// What a guest does not have is reported in a line that says what to do.
// run: -n 1 --tag none
// also-slow: --kernel l4
// expect-stdout:
// process: Function not implemented
// temporary file: No such file or directory
// expect-stderr: core 0: system call 120 \(clone\) is not available
// expect-stderr: core 0: there is no /tmp: share a folder
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    char name[] = "/tmp/rockcreekXXXXXX";

    if (syscall(SYS_clone, CLONE_VM | CLONE_VFORK, 0) < 0)
        printf("process: %s\n", strerror(errno));
    if (mkstemp(name) < 0)
        printf("temporary file: %s\n", strerror(errno));
    return 0;
}
