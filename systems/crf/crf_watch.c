/*
 * crf_watch.c: a core that has died is told to those that wait.
 *
 * Who has waited for a quarter of a second asks all others whether they are
 * there: a core that runs takes a mail out of its box, whatever its thread
 * does; one whose box stays full has stopped. Nobody reads the mails of a
 * thread that computes, so it is asked less and less often until it waits.
 */
#include "crf_private.h"

#include <signal.h>
#include <sys/time.h>

#include "owner.h"

#define PATIENCE 133000000ull /* a quarter of a second at 533 MHz */
#define ANSWER 10700000ull    /* 20 ms: a kernel takes a mail sooner */
#define MOST_DOUBLINGS 20u

static uint64_t asked_at[CRF_CORES]; /* by this core */
static volatile uint32_t alarms;
static volatile int armed;

static void on_alarm(int number)
{
    (void)number;
    alarms++;
    armed = 0;
}

/* A program that has a use for the signal keeps it, and nobody is asked. */
void crf_watch_while_asleep(void)
{
    const struct itimerval once = {.it_value = {.tv_usec = 250000}};
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART | SA_ONSTACK};
    struct sigaction before;

    if (armed)
        return;
    sigaction(SIGALRM, NULL, &before);
    if (before.sa_handler != SIG_DFL && before.sa_handler != on_alarm)
        return;
    if (before.sa_handler == SIG_DFL)
        sigaction(SIGALRM, &action, NULL);
    armed = 1;
    setitimer(ITIMER_REAL, &once, NULL);
}

/* They are no reason to end a sleep early. */
uint32_t crf_own_signals(void)
{
    return alarms + owner_signals_taken();
}

/* Is it time to ask the core of this rank? */
static int due(int rank, uint64_t now)
{
    uint32_t unread = crf_control->asked[rank];

    if (rank == crf_my_rank || unread > MOST_DOUBLINGS)
        return 0;
    return now - asked_at[rank] >= PATIENCE << unread;
}

static void tell(int rank)
{
    crf_fail("what its thread had not committed is lost; "
             "`rck run --json` names the core's end",
             "core %d does not answer: it has stopped, and its thread with "
             "it",
             crf_core_of[rank]);
}

/* What this core asks it twice: the second mail finds the box empty if the
 * first one was taken. */
static int answers(int rank)
{
    uint64_t start = __builtin_ia32_rdtsc();

    while (!crf_mail(rank))
        if (__builtin_ia32_rdtsc() - start > ANSWER)
            return 0;
    return 1;
}

void crf_watch(void)
{
    uint64_t now = __builtin_ia32_rdtsc();
    uint8_t asked[CRF_CORES] = {0};

    if (crf_control->dead)
        tell((int)crf_control->dead - 1);
    for (int rank = 0; rank < crf_all_ranks; rank++)
        if (due(rank, now)) {
            asked[rank] = 1;
            asked_at[rank] = now;
            crf_control->asked[rank]++;
            (void)crf_mail(rank);
        }
    for (int rank = 0; rank < crf_all_ranks; rank++)
        if (asked[rank] && !answers(rank)) {
            crf_control->dead = (uint32_t)rank + 1;
            crf_wake_all();
            tell(rank);
        }
}

/* Between two looks of a core that waits awake. */
void crf_watch_while_awake(void)
{
    static uint64_t began, last;
    uint64_t now = __builtin_ia32_rdtsc();

    if (now - last > PATIENCE / 100) /* another wait */
        began = now;
    last = now;
    if (now - began > PATIENCE) {
        began = now;
        crf_watch();
        last = __builtin_ia32_rdtsc();
    }
}
