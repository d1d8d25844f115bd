/*
 * sync_counter.c: a counter in an MPB, under its UE's lock.
 *
 * An access to a near MPB is quicker than to a far one. To be fair, a UE
 * makes up for what the farthest of all UEs has to go: four mesh cycles a
 * hop and direction, for the read and the write [reble-metalsvm-sync].
 */
#include "RCCE_lib.h"
#include "RCCE_sync.h"

/* Core cycles of a hop there and back at 533 and 800 MHz, rounded up. */
#define CYCLES_PER_HOP 6
#define ACCESSES 2

static int hops(int ue, int other)
{
    int a = rcce_core_of[ue] / 2, b = rcce_core_of[other] / 2;

    return abs(a % 6 - b % 6) + abs(a / 6 - b / 6);
}

static int farthest(int ue)
{
    int most = 0;

    for (int other = 0; other < rcce_ues; other++)
        if (hops(ue, other) > most)
            most = hops(ue, other);
    return most;
}

int RCCE_counter_alloc(RCCE_COUNTER *counter, int ue)
{
    if (!counter)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    counter->word = RCCE_malloc(RCCE_LINE_SIZE);
    counter->ue = ue;
    if (!counter->word)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_NOT_ALLOCATED);
    if (ue == rcce_my_rank)
        rcce_signal_store(rcce_line_signal(counter->word), 0, 0, ue);
    return rcce_world_barrier();
}

int RCCE_counter_add(RCCE_COUNTER *counter, int amount, int *old)
{
    int along;

    if (!counter || !counter->word || !old)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    int error = RCCE_backoff_lock(counter->ue);
    if (error)
        return error;
    int waits = (farthest(counter->ue) - hops(rcce_my_rank, counter->ue)) *
                CYCLES_PER_HOP * ACCESSES;
    for (int n = 0; n < waits; n++)
        __asm__ volatile("nop");
    struct rcce_signal word = rcce_line_signal(counter->word);
    *old = rcce_signal_load(word, &along, counter->ue);
    rcce_signal_store(word, *old + amount, 0, counter->ue);
    return RCCE_release_lock(counter->ue);
}
