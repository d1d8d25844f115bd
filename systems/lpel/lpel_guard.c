/*
 * lpel_guard.c: locks. The chunks and each stream are guarded by a
 * test-and-set register, garbage lists and mailboxes by an atomic counter of
 * the FPGA: there are two for each core [karavadara-lpel].
 */
#include "lpel_private.h"

#include "scc/claim.h"

/* Turns between two tries at a register; at a counter, from and to. */
#define PAUSE 32
#define FIRST_PAUSE 64
#define LAST_PAUSE 8192
/* Counters of the FPGA's first block. */
#define BLOCK 48

static volatile uint32_t *counters[2];

void lpel_guards_start(void)
{
    uint32_t ranks = (uint32_t)lpel_all_ranks;

    scc_claim(SCC_LOCK, SCC_TOGETHER, 0, SCC_CORES, LPEL_NAME);
    scc_claim(SCC_COUNTER, SCC_ALONE, 0, ranks, LPEL_NAME);
    scc_claim(SCC_COUNTER, SCC_ALONE, BLOCK, ranks, LPEL_NAME);
    counters[LPEL_GARBAGE] = scc_fpga(SCC_FPGA_COUNTER(0));
    counters[LPEL_MAILBOX] = scc_fpga(SCC_FPGA_COUNTER_UPPER(0));
    for (int what = 0; what < 2; what++)
        scc_counter_give(&counters[what][2 * lpel_my_rank]);
}

void lpel_guard(uint32_t number)
{
    int core = lpel_core_of[number % (uint32_t)lpel_all_ranks];
    scc_lock *lock = scc_lock_of(core);

    while (!scc_guard_try(lock, core))
        scc_pause(PAUSE);
}

void lpel_unguard(uint32_t number)
{
    int core = lpel_core_of[number % (uint32_t)lpel_all_ranks];

    scc_guard_give(scc_lock_of(core), core);
}

void lpel_count_in(enum lpel_counter what, int rank)
{
    scc_counter_take(&counters[what][2 * rank], FIRST_PAUSE, LAST_PAUSE);
}

void lpel_count_out(enum lpel_counter what, int rank)
{
    scc_counter_give(&counters[what][2 * rank]);
}
