/*
 * RCCE_signal.c: writing, reading and awaiting a flag of either kind.
 *
 * A line flag is the first word of an MPB line of its own. It is always
 * written as a whole line, so the write-combine buffer carries it in one
 * transaction, and nothing else shares its fate; its second word carries a
 * value along. A bit flag shares its byte with seven others, so its writer
 * holds the lock of the UE on which it writes. A byte is what a job of many
 * UEs has for each partner. Each belongs to one writer at a time; whoever
 * waits for it resets it before it answers.
 */
#include "RCCE_lib.h"

void (*rcce_idle)(void);

/* A flag must lie in a line that RCCE_malloc can hand out. */
int rcce_check_signal(struct rcce_signal signal)
{
    t_vcharp line = (t_vcharp)signal.line;

    if (!line)
        return RCCE_ERROR_FLAG_NOT_ALLOCATED;
    if (!rcce_in_buffer(line, RCCE_LINE_SIZE) || !rcce_aligned(line))
        return RCCE_ERROR_FLAG_NOT_IN_COMM_BUFFER;
    return RCCE_SUCCESS;
}

static t_vcharp byte_of(struct rcce_signal signal, int ue)
{
    return rcce_on((t_vcharp)signal.line, ue) + signal.bit / 8;
}

/* Nobody else writes this byte, and a transaction writes no other. */
static void store_byte(struct rcce_signal signal, int value, int ue)
{
    rcce_invalidate_mpb();
    *rcce_on((t_vcharp)signal.line, ue) = (unsigned char)value;
    rcce_push_wcb();
}

static void store_bit(struct rcce_signal signal, int value, int ue)
{
    if (signal.bit == RCCE_BYTE) {
        store_byte(signal, value, ue);
        return;
    }
    int mask = 1 << signal.bit % 8;
    int locked = !rcce_lock_held(ue) && RCCE_acquire_lock(ue) == RCCE_SUCCESS;
    t_vcharp byte = byte_of(signal, ue);

    /* Fresh neighbours, and no store that stays in L1. */
    rcce_invalidate_mpb();
    int old = *byte;
    rcce_invalidate_mpb();
    *byte = (unsigned char)(value ? old | mask : old & ~mask);
    rcce_push_wcb();
    if (locked)
        RCCE_release_lock(ue);
}

/* Writes the flag on `ue`, without checks; `extra` travels with lines. */
void rcce_signal_store(struct rcce_signal signal, int value, int extra, int ue)
{
    if (signal.bit >= 0) {
        store_bit(signal, value, ue);
        return;
    }
    volatile int *line = (volatile int *)rcce_on((t_vcharp)signal.line, ue);
    /* An own flag was just polled and is in L1: the store must not stay
     * there. */
    rcce_invalidate_mpb();
    /* The value last: an interrupt whose handler writes into message memory
     * may send what the line has by then. */
    line[1] = extra;
    for (int word = 2; word < RCCE_LINE_WORDS; word++)
        line[word] = 0;
    line[0] = value;
    rcce_push_wcb();
}

/* Reads the flag on `ue` as it is now, without checks. */
int rcce_signal_load(struct rcce_signal signal, int *extra, int ue)
{
    /* Without this the core would see its own old copy for ever. */
    rcce_invalidate_mpb();
    if (signal.bit >= 0) {
        *extra = 0;
        if (signal.bit == RCCE_BYTE)
            return *rcce_on((t_vcharp)signal.line, ue);
        return *byte_of(signal, ue) >> signal.bit % 8 & 1;
    }
    volatile int *line = (volatile int *)rcce_on((t_vcharp)signal.line, ue);
    int value = line[0];
    *extra = line[1]; /* of the same fetch: the line is in L1 now */
    return value;
}

/* Polls a line's first word until comparing it with `value` gives `wanted`:
 * a partner may be waiting for this core to see it, so the loop is as short
 * as it can be. */
static inline void poll_line(volatile int *line, int value, int wanted)
{
    do
        rcce_invalidate_mpb();
    while ((*line == value) != wanted);
}

/* Polls the flag on `ue` until comparing it with `value` gives `wanted`;
 * returns what it is, and what came along. */
static inline int poll(struct rcce_signal signal, int ue, int value, int wanted,
                       int *extra)
{
    if (!rcce_idle && signal.bit < 0) {
        volatile int *line = (volatile int *)rcce_on((t_vcharp)signal.line, ue);
        poll_line(line, value, wanted);
        *extra = line[1]; /* of the same fetch: the line is in L1 now */
        return line[0];
    }
    for (;;) {
        int now = rcce_signal_load(signal, extra, ue);
        if ((now == value) == wanted)
            return now;
        if (rcce_idle)
            rcce_idle();
    }
}

/* Polls the flag on `ue` until it has the value; returns what came along. */
int rcce_signal_wait(struct rcce_signal signal, int value, int ue)
{
    int extra;

    poll(signal, ue, value, 1, &extra);
    return extra;
}

/* Polls the own flag until it is raised; returns what came along. */
int rcce_signal_await(struct rcce_signal signal)
{
    int extra;

    poll(signal, rcce_my_rank, RCCE_FLAG_UNSET, 0, &extra);
    return extra;
}
