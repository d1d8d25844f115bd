/*
 * link_end.c: a core whose program ends tells all others, however it ends;
 * they give its connections up instead of waiting for it.
 */
#include "link.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static uint64_t ended;
static int guarded;
static void (*last_words)(void);

int link_ended(int rank)
{
    return (int)(ended >> rank & 1);
}

int link_gone(int rank)
{
    if (link_board(rank)->state == STATE_ENDED)
        link_heard_end(rank);
    return link_ended(rank);
}

void link_heard_end(int rank)
{
    ended |= 1ull << rank;
}

/* An end needs no room but a description, of which one is left for each. */
static void tell_all(void)
{
    if (!guarded)
        return;
    guarded = 0;
    link_board(link_my_rank)->state = STATE_ENDED;
    for (int rank = 0; rank < link_ranks; rank++)
        if (rank != link_my_rank && !link_ended(rank) &&
            link_board(rank)->state == STATE_UP)
            link_put(rank, KIND_END, NULL, 0);
}

static void leaving(void)
{
    if (guarded && last_words)
        last_words();
    tell_all();
}

static void died(int signal)
{
    tell_all();
    raise(signal);
}

void link_guard(void (*leave)(void))
{
    static const int deadly[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                 SIGABRT, SIGTERM, SIGINT};
    struct sigaction action = {.sa_handler = died, .sa_flags = SA_RESETHAND};

    if (guarded)
        return;
    guarded = 1;
    last_words = leave;
    atexit(leaving);
    for (size_t n = 0; n < sizeof deadly / sizeof *deadly; n++) {
        struct sigaction before;

        if (sigaction(deadly[n], NULL, &before) == 0 &&
            before.sa_handler == SIG_DFL)
            sigaction(deadly[n], &action, NULL);
    }
}
