/*
 * link_run.c: what comes is given to the transports, timers run, and a core
 * with nothing to do sleeps. All happens inside the program's calls.
 */
#include "link.h"

static const struct listener *listeners[KINDS];

void tcpip_link_listen(enum kind kind, const struct listener *listener)
{
    listeners[kind] = listener;
}

static void hear(const struct record *record)
{
    if (record->kind == KIND_END) {
        tcpip_link_heard_end(record->rank);
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
    uint64_t wanting = tcpip_link_wanting();

    if (!wanting)
        return 0;
    for (int n = 0; n < KINDS; n++)
        if (listeners[n])
            listeners[n]->room();
    return (wanting & ~tcpip_link_wants()) != 0;
}

int tcpip_link_run(void)
{
    struct record record;
    int done = 0;

    for (; done < RECORDS && tcpip_link_look(&record); done++) {
        hear(&record);
        tcpip_link_taken();
    }
    for (int n = 0; n < KINDS; n++)
        if (listeners[n])
            listeners[n]->run();
    return done + retry();
}

/* The bell says "asleep" before the last look: who comes after it rings. */
int tcpip_link_wait(uint64_t until, struct pollfd *files, int count)
{
    volatile struct board *board = tcpip_link_board(tcpip_link_my_rank);
    int error = 0;

    board->bell = BELL_ASLEEP;
    if (tcpip_link_run() == 0) {
        for (int n = 0; n < KINDS; n++)
            if (listeners[n] && listeners[n]->due() < until)
                until = listeners[n]->due();
        error = tcpip_link_sleep(until, files, count);
    }
    board->bell = BELL_AWAKE;
    tcpip_link_run();
    return error;
}

void tcpip_link_await(int rank, uint64_t until)
{
    volatile struct board *board = tcpip_link_board(tcpip_link_my_rank);

    do {
        board->bell = BELL_ASLEEP;
        if (!tcpip_link_room(rank))
            tcpip_link_sleep(until, NULL, 0);
        board->bell = BELL_AWAKE;
    } while (!tcpip_link_room(rank) && scc_now_ns() < until);
}
