/*
 * link_bell.c: sleeping until somebody rings, and ringing.
 *
 * A bell is a word on the board: its owner says there that it goes to sleep;
 * whoever finds it asleep rings (scc/bell.h). So a core that is awake is not
 * interrupted, and one that sleeps halts.
 */
#include "link.h"
#include "scc/bell.h"

void tcpip_link_bell_open(void)
{
    if (!scc_bell_open())
        scc_fail(NAME, "this needs the kernel's interrupt pin",
                 "the kernel lets no interrupts in");
}

void tcpip_link_wake(int rank)
{
    volatile struct board *board = tcpip_link_board(rank);

    if (board->bell != BELL_ASLEEP)
        return;
    board->bell = BELL_RUNG;
    scc_bell_ring(tcpip_link_core(rank));
    tcpip_link_counts.rings++;
}

int tcpip_link_sleep(uint64_t until, struct pollfd *files, int count)
{
    tcpip_link_counts.sleeps++;
    return scc_bell_sleep(until, files, count);
}
