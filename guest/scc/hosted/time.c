/*
 * time.c: nanoseconds by the time stamp counter.
 */
#include "scc/time.h"

#include "scc/cache.h"
#include "scc/job.h"

/* Nanoseconds a cycle, in units of 2^-20: asked for often, and a division of
 * 64 bits costs a hundred cycles. */
#define SCALE 20
#define KILO 1000u

uint64_t scc_now_ns(void)
{
    static uint32_t a_cycle;
    uint64_t cycles = scc_cycles();
    uint64_t high, low;

    if (!a_cycle) {
        const struct scc_job *job = scc_job();
        double mhz = job ? job->ghz * KILO : KILO;

        a_cycle = (KILO << SCALE) / (uint32_t)(mhz + 0.5);
    }
    high = (cycles >> 32) * a_cycle;
    low = (cycles & 0xffffffff) * a_cycle;
    return (high << (32 - SCALE)) + (low >> SCALE);
}
