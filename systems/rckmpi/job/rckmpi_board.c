/*
 * rckmpi_board.c: the board's place and lock.
 */
#include "rckmpi_board.h"
#include "scc/claim.h"
#include "scc/map.h"

#define BOARD_BYTES (512u * 1024)
_Static_assert(sizeof(struct board) <= BOARD_BYTES, "the board's pages");

#define OFFSET (SCC_SHARED_SIZE - BOARD_BYTES)
/* The core whose test-and-set register guards the board. */
#define GUARD 0

SCC_PLAN(plan, SCC_SHARED, SCC_ALONE, OFFSET, BOARD_BYTES, RCKMPI_NAME);

static struct board *board;

static void map_board(void)
{
    scc_claim(SCC_SHARED, SCC_ALONE, OFFSET, BOARD_BYTES, RCKMPI_NAME);
    scc_claim(SCC_LOCK, SCC_TOGETHER, GUARD, 1, RCKMPI_NAME);
    board = scc_map(SCC_UNCACHED, SCC_SHARED_BASE + OFFSET, BOARD_BYTES);
    if (!board || !scc_lock_of(GUARD))
        rckmpi_refuse("the kernel does not map the shared memory",
                      "this needs /dev/rckncm");
}

struct board *rckmpi_board(void)
{
    if (!board)
        map_board();
    scc_guard_take(scc_lock_of(GUARD), GUARD);
    return board;
}

void rckmpi_board_leave(void)
{
    scc_guard_give(scc_lock_of(GUARD), GUARD);
}

void rckmpi_board_copy(void *to, const void *from, size_t bytes)
{
    for (size_t n = 0; n < (bytes + 3) / 4; n++)
        ((volatile uint32_t *)to)[n] = ((const volatile uint32_t *)from)[n];
}
