/*
 * svm_watch.c: a core that has died is reported to those that wait at a
 * lock, a barrier or a page.
 *
 * A timer that a wait starts looks a quarter of a second later whether this
 * core still is in the same one; if it is, the others are asked
 * (owner/watch.c). Outside of waits no timer runs. A program that has a use for
 * SIGALRM keeps it, and nobody is asked.
 */
#include "svm_private.h"

#include "scc/bell.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "owner/watch.h"

volatile uint32_t svm_alarms;
static volatile uint32_t waits; /* odd: this core is in one */
static volatile int watches, armed;
static uint32_t seen;

static void arm(void)
{
    const struct itimerval timer = {.it_value.tv_usec = WATCH_PATIENCE_US};

    armed = 1;
    seen = waits;
    setitimer(ITIMER_REAL, &timer, NULL);
}

void svm_wait_begins(void)
{
    waits++;
    if (watches && !armed)
        arm();
}

void svm_wait_ends(void)
{
    waits++;
}

static int mail(int rank)
{
    const uint32_t words[8] = {(uint32_t)svm_core_of[rank]};

    return write(svm_mail, words, sizeof words) == (ssize_t)sizeof words;
}

static void nothing(void)
{
}

static void tell(int rank)
{
    svm_fail("what it wrote and did not flush is lost; `rck run --json` names "
             "the core's end",
             "UE %d (core %d) does not answer: it has stopped", rank,
             svm_core_of[rank]);
}

static void on_alarm(int number)
{
    const struct watch watch = {
        .rank = svm_rank,
        .ranks = svm_ranks,
        .dead = &svm_control->dead,
        .mail = mail,
        .found = nothing,
        .tell = tell,
    };
    int error = errno;

    (void)number;
    scc_own_signals++;
    svm_alarms++;
    armed = 0;
    if (waits % 2 && waits == seen)
        svm_watch_others(&watch);
    if (waits % 2)
        arm();
    errno = error;
}

void svm_watch_start(void)
{
    const struct sigaction action = {.sa_handler = on_alarm,
                                     .sa_flags = SA_RESTART};
    struct sigaction before;

    sigaction(SIGALRM, NULL, &before);
    if (before.sa_handler != SIG_DFL)
        return;
    sigaction(SIGALRM, &action, NULL);
    watches = 1;
}

void svm_watch_end(void)
{
    const struct itimerval none = {0};
    struct sigaction now;

    watches = 0;
    sigaction(SIGALRM, NULL, &now);
    if (now.sa_handler != on_alarm)
        return;
    setitimer(ITIMER_REAL, &none, NULL);
    signal(SIGALRM, SIG_DFL);
}
