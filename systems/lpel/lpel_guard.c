/*
 * lpel_guard.c: locks. The chunks and each stream are guarded by a
 * test-and-set register, garbage lists and mailboxes by an atomic counter of
 * the FPGA: there are two for each core [karavadara-lpel].
 */
#include "lpel_private.h"

#include "scc/memory_map.h"
#include "scc/registers.h"

static volatile uint32_t *registers[RCCE_MAXNP];
static volatile uint32_t *counters[2]; /* read: adds 1; next word: the value */

void lpel_guards_start(void)
{
    for (int rank = 0; rank < lpel_all_ranks; rank++) {
        uint32_t core = (uint32_t)lpel_core_of[rank];
        uint32_t tile = SCC_CRB_BASE + core / 2 * SCC_CRB_BASE_STRIDE;

        registers[rank] =
            (volatile uint32_t *)lpel_map("/dev/rckncm", 0, tile, LPEL_PAGE) +
            SCC_CRB_LOCK(core % 2) / 4;
    }
    counters[LPEL_GARBAGE] = lpel_map(
        "/dev/rckncm", 0, SCC_FPGA_BASE + SCC_FPGA_COUNTER(0), LPEL_PAGE);
    counters[LPEL_MAILBOX] = lpel_map(
        "/dev/rckncm", 0, SCC_FPGA_BASE + SCC_FPGA_COUNTER_UPPER(0), LPEL_PAGE);
    for (int what = 0; what < 2; what++)
        counters[what][2 * lpel_my_rank + 1] = 0;
}

static void pause(uint32_t turns)
{
    while (turns-- > 0)
        __asm__ volatile("");
}

/* A read of a test-and-set register takes it, a write gives it back. */
void lpel_guard(uint32_t number)
{
    volatile uint32_t *guard = registers[number % (uint32_t)lpel_all_ranks];

    while (!(*guard & SCC_CRB_LOCK_FREE))
        pause(32);
}

void lpel_unguard(uint32_t number)
{
    *registers[number % (uint32_t)lpel_all_ranks] = 0;
}

/* Who counts from 0 has it. All others wait longer each time: each of their
 * reads is an access to the FPGA too. */
void lpel_count_in(enum lpel_counter what, int rank)
{
    uint32_t turns = 64;

    while (counters[what][2 * rank] != 0) {
        pause(turns);
        if (turns < 8192)
            turns *= 2;
    }
}

void lpel_count_out(enum lpel_counter what, int rank)
{
    counters[what][2 * rank + 1] = 0;
}
