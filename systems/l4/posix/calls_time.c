/*
 * calls_time.c: time from the time stamp counter, and sleeping. The date
 * begins at 2010-01-01 00:00:00 UTC in every run, as under our ordinary
 * kernel.
 */
#include "posix/posix.h"

#define EPOCH 1262304000u /* 2010-01-01 in seconds since 1970-01-01 */
#define CLOCK_REALTIME 0
#define BILLION 1000000000u

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;

/* value / by, in two steps of DIV, which fit for every value. */
static uint64_t divide(uint64_t value, uint32_t by, uint32_t *rest)
{
    uint32_t high = (uint32_t)(value >> 32), low = (uint32_t)value;
    uint32_t quotient_high = high / by, left = high % by;

    __asm__("divl %2" : "+a"(low), "+d"(left) : "r"(by));
    *rest = left;
    return (uint64_t)quotient_high << 32 | low;
}

/* Cycles times picoseconds stay below 2^64 for 106 days of simulated time. */
static uint32_t now(uint32_t *nanoseconds)
{
    uint32_t rest;
    uint64_t total = divide(l4_cycles() * boot->cycle_picoseconds, 1000, &rest);

    return (uint32_t)divide(total, BILLION, nanoseconds);
}

static uint32_t epoch(uint32_t clock)
{
    return clock == CLOCK_REALTIME ? EPOCH : 0;
}

int32_t call_time(const struct registers *r)
{
    uint32_t ns, seconds = now(&ns) + EPOCH;

    if (r->ebx && memory_out(r->ebx, &seconds, 4))
        return EFAULT;
    return (int32_t)seconds;
}

int32_t call_gettimeofday(const struct registers *r)
{
    uint32_t value[2];

    value[0] = now(&value[1]) + EPOCH;
    value[1] /= 1000;
    return r->ebx ? memory_out(r->ebx, value, sizeof(value)) : 0;
}

int32_t call_clock(const struct registers *r)
{
    uint32_t value[2];

    value[0] = now(&value[1]) + epoch(r->ebx);
    return memory_out(r->ecx, value, sizeof(value));
}

int32_t call_clock64(const struct registers *r)
{
    uint32_t value[4] = {0, 0, 0, 0};

    value[0] = now(&value[2]) + epoch(r->ebx);
    return memory_out(r->ecx, value, sizeof(value));
}

/* One program has one thread: nobody else can want this server meanwhile. */
static int32_t sleep_for(uint32_t seconds, uint32_t nanoseconds)
{
    struct l4_message m;

    if (nanoseconds >= BILLION)
        return EINVAL;
    for (; seconds; seconds--)
        l4_invoke(0, L4_WAIT(L4_RECEIVE, 1000000), &m);
    l4_invoke(0, L4_WAIT(L4_RECEIVE, (nanoseconds + 999) / 1000), &m);
    return 0;
}

int32_t call_sleep(const struct registers *r)
{
    uint32_t value[2];

    if (memory_in(value, r->ebx, sizeof(value)))
        return EFAULT;
    return sleep_for(value[0], value[1]);
}

/* clock_nanosleep; a flag for absolute time is not known. */
int32_t call_sleep64(const struct registers *r)
{
    uint32_t value[4];

    if (r->ecx)
        return EINVAL;
    if (memory_in(value, r->edx, sizeof(value)))
        return EFAULT;
    return sleep_for(value[0], value[2]);
}
