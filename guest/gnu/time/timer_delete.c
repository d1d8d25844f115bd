/*
 * timer_delete.c: errors as POSIX has them. musl returns what the kernel says,
 * without errno; by a negative number it means a timer with a thread, which is
 * its own.
 */
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int __musl_timer_delete(timer_t timer);

int timer_delete(timer_t timer)
{
    if ((intptr_t)timer < 0)
        return __musl_timer_delete(timer);
    return (int)syscall(SYS_timer_delete, timer);
}
