/*
 * wait4.c: what a child used, where time_t has 32 bits. musl's functions for
 * that fill nothing in, as they take the child's number for an error.
 */
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The system call's structure begins as the program's does. */
struct rusage;

pid_t wait4(pid_t child, int *status, int options, struct rusage *usage);
pid_t wait3(int *status, int options, struct rusage *usage);

pid_t wait4(pid_t child, int *status, int options, struct rusage *usage)
{
    return (pid_t)syscall(SYS_wait4, child, status, options, usage);
}

pid_t wait3(int *status, int options, struct rusage *usage)
{
    return wait4(-1, status, options, usage);
}
