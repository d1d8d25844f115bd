/*
 * sync_backoff.c: a lock with exponential back-off.
 *
 * Many tries at one register keep its tile busy and hold up the release as
 * well; pauses of random length keep the tries apart [reble-metalsvm-sync].
 */
#include "RCCE_lib.h"
#include "RCCE_sync.h"

/* x' = a x + c modulo 2^32, full period; the upper bits are the random
 * ones. */
#define MULTIPLIER 1103515245u
#define INCREMENT 12345u

unsigned RCCE_backoff_random(void)
{
    static unsigned state;

    if (state == 0)
        state = (unsigned)rcce_my_rank * 2654435761u + 1;
    state = state * MULTIPLIER + INCREMENT;
    return state >> 17;
}

static void pause_rounds(unsigned rounds)
{
    while (rounds-- > 0)
        __asm__ volatile("");
}

int RCCE_backoff_lock(int ue)
{
    unsigned span = RCCE_BACKOFF_MIN;
    int taken = 0, error = RCCE_try_lock(ue, &taken);

    while (!error && !taken) {
        pause_rounds(RCCE_backoff_random() & (span - 1));
        if (span < RCCE_BACKOFF_MAX)
            span *= 2;
        error = RCCE_try_lock(ue, &taken);
    }
    return error;
}
