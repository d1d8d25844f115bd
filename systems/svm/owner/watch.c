/*
 * watch.c: a core that has died is reported to those that wait.
 *
 * Who has waited for a quarter of a second asks all others whether they are
 * there: a core that runs takes a mail out of its box, whatever its program
 * does; one whose box stays full has stopped. One that reads no mails while it
 * computes is asked less and less often.
 */
#include "watch.h"

#define CORES 48
#define ANSWER 10700000ull /* 20 ms: a kernel takes a mail sooner */
#define MOST_DOUBLINGS 20u

static uint64_t asked_at[CORES]; /* by this core */

/* Is it time to ask the core of this rank? */
static int due(const struct watch *watch, int rank, uint64_t now)
{
    uint32_t unread = watch->unread ? watch->unread[rank] : 0;

    if (rank == watch->rank || unread > MOST_DOUBLINGS)
        return 0;
    return now - asked_at[rank] >= WATCH_PATIENCE << unread;
}

/* Mails a rank twice: the second mail finds the box empty if the first one was
 * taken. */
static int answers(const struct watch *watch, int rank)
{
    uint64_t start = __builtin_ia32_rdtsc();

    while (!watch->mail(rank))
        if (__builtin_ia32_rdtsc() - start > ANSWER)
            return 0;
    return 1;
}

void svm_watch_others(const struct watch *watch)
{
    uint64_t now = __builtin_ia32_rdtsc();
    uint8_t asked[CORES] = {0};

    if (*watch->dead)
        watch->tell((int)*watch->dead - 1);
    for (int rank = 0; rank < watch->ranks; rank++)
        if (due(watch, rank, now)) {
            asked[rank] = 1;
            asked_at[rank] = now;
            if (watch->unread)
                watch->unread[rank]++;
            (void)watch->mail(rank);
        }
    for (int rank = 0; rank < watch->ranks; rank++)
        if (asked[rank] && !answers(watch, rank)) {
            *watch->dead = (uint32_t)rank + 1;
            watch->found();
            watch->tell(rank);
        }
}
