/*
 * link_end.c: a core whose program ends notifies all others, however it ends;
 * they give its connections up instead of waiting for it.
 */
#include "link.h"
#include "scc/end.h"

static uint64_t ended;
static void (*last_words)(void);

int tcpip_link_ended(int rank)
{
    return (int)(ended >> rank & 1);
}

int tcpip_link_gone(int rank)
{
    if (tcpip_link_board(rank)->state == STATE_ENDED)
        tcpip_link_heard_end(rank);
    return tcpip_link_ended(rank);
}

void tcpip_link_heard_end(int rank)
{
    ended |= 1ull << rank;
}

/* An end needs no room but a description, of which one is left for each. */
static void tell_all(void)
{
    tcpip_link_board(tcpip_link_my_rank)->state = STATE_ENDED;
    for (int rank = 0; rank < tcpip_link_ranks; rank++)
        if (rank != tcpip_link_my_rank && !tcpip_link_ended(rank) &&
            tcpip_link_board(rank)->state == STATE_UP)
            tcpip_link_put(rank, KIND_END, NULL, 0);
}

static void leaving(void)
{
    last_words();
    tell_all();
}

static void died(int signal)
{
    (void)signal;
    tell_all();
}

void tcpip_link_guard(void (*leave)(void))
{
    last_words = leave;
    scc_guard(leaving, died);
}
