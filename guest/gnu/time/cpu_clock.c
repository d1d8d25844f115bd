/*
 * cpu_clock.c: the clock of a process's processor time. musl's is one that only
 * Linux has; a program here is the only process.
 */
#include <errno.h>
#include <time.h>
#include <unistd.h>

int clock_getcpuclockid(pid_t process, clockid_t *clock)
{
    if (process != 0 && process != getpid())
        return ESRCH;
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}
