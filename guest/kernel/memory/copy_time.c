/* Times in the program's memory: i386 Linux has two layouts of a timespec, with
 * seconds of 32 and of 64 bits. */
#include "abi/abi.h"
#include "lib/divide.h"
#include "lib/types.h"
#include "memory/memory.h"

#define SECOND 1000000000u
/* 292 years: the time that has passed can be added to what is longer, too. */
#define LONGEST 0x7FFFFFFFFFFFFFFFull

s32 put_time(u32 address, u64 nanoseconds, bool wide)
{
    struct timespec64 time = {0};
    struct timespec32 narrow;

    if (!address)
        return 0;
    time.seconds = (s64)divide(nanoseconds, SECOND, &time.nanoseconds);
    if (wide)
        return copy_out(address, &time, sizeof(time));
    narrow = (struct timespec32){(s32)time.seconds, (s32)time.nanoseconds};
    return copy_out(address, &narrow, sizeof(narrow));
}

s32 get_time(u32 address, bool wide, u64 *nanoseconds)
{
    struct timespec64 time;
    struct timespec32 narrow;
    s32 error;

    if (wide) {
        error = copy_in(&time, address, sizeof(time));
    } else {
        error = copy_in(&narrow, address, sizeof(narrow));
        time.seconds = narrow.seconds;
        time.nanoseconds = (u32)narrow.nanoseconds;
    }
    if (error)
        return error;
    if (time.seconds < 0 || time.nanoseconds >= SECOND)
        return -EINVAL;
    *nanoseconds = LONGEST;
    if ((u64)time.seconds < LONGEST / SECOND)
        *nanoseconds = (u64)time.seconds * SECOND + time.nanoseconds;
    return 0;
}
