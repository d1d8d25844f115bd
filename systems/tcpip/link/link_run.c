/*
 * link_run.c: what comes is given to the transports, timers run, and a core
 * with nothing to do sleeps. All happens inside the program's calls.
 */
#include "link.h"

static const struct listener *listeners[KINDS];

void link_listen(enum kind kind, const struct listener *listener)
{
    listeners[kind] = listener;
}

static void hear(const struct record *record)
{
    if (record->kind == KIND_END) {
        link_heard_end(record->rank);
        for (int n = 0; n < KINDS; n++)
            if (listeners[n])
                listeners[n]->ended(record->rank);
    } else if (record->kind < KINDS && listeners[record->kind]) {
        listeners[record->kind]->record(record);
    }
}

/* What did not go for want of room is tried again; whether somebody has room
 * now. */
static int retry(void)
{
    uint64_t wanting = link_wanting();

    if (!wanting)
        return 0;
    for (int n = 0; n < KINDS; n++)
        if (listeners[n])
            listeners[n]->room();
    return (wanting & ~link_wants()) != 0;
}

int link_run(void)
{
    struct record record;
    int done = 0;

    for (; done < RECORDS && link_look(&record); done++) {
        hear(&record);
        link_taken();
    }
    for (int n = 0; n < KINDS; n++)
        if (listeners[n])
            listeners[n]->run();
    return done + retry();
}

/* The bell says "asleep" before the last look: who comes after it rings. */
int link_wait(uint64_t until, struct pollfd *files, int count)
{
    volatile struct board *board = link_board(link_my_rank);
    int error = 0;

    board->bell = BELL_ASLEEP;
    if (link_run() == 0) {
        for (int n = 0; n < KINDS; n++)
            if (listeners[n] && listeners[n]->due() < until)
                until = listeners[n]->due();
        error = link_sleep(until, files, count);
    }
    board->bell = BELL_AWAKE;
    link_run();
    return error;
}

void link_await(int rank, uint64_t until)
{
    volatile struct board *board = link_board(link_my_rank);

    do {
        board->bell = BELL_ASLEEP;
        if (!link_room(rank))
            link_sleep(until, NULL, 0);
        board->bell = BELL_AWAKE;
    } while (!link_room(rank) && scc_now_ns() < until);
}
