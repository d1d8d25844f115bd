/*
 * crf_watch.c: a core that has died is reported to the threads that wait: they ask
 * the others (systems/svm/owner/watch.c) from a quarter of a second on.
 */
#include "crf_private.h"
#include "models/model.h"

#include <signal.h>
#include <sys/time.h>

#include "owner.h"
#include "scc/bell.h"
#include "watch.h"

volatile uint32_t crf_alarms;
static volatile int armed;

static void on_alarm(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    crf_alarms++;
    scc_own_signals++;
    armed = 0;
    if (crf_model->copies)
        crf_interrupted(context);
}

/* A program that has a use for the signal keeps it, and nobody is asked. Under
 * the strong model the thread's own stack may be another core's. */
void crf_alarm_in(uint32_t microseconds)
{
    const struct itimerval once = {.it_value = {.tv_usec = (long)microseconds}};
    struct sigaction action = {
        .sa_sigaction = on_alarm,
        .sa_flags = SA_SIGINFO | SA_RESTART |
                    (crf_model->copies ? SA_NODEFER : SA_ONSTACK)};
    struct sigaction before;

    sigaction(SIGALRM, NULL, &before);
    if (before.sa_handler != SIG_DFL && before.sa_sigaction != on_alarm)
        return;
    if (before.sa_handler == SIG_DFL)
        sigaction(SIGALRM, &action, NULL);
    armed = 1;
    setitimer(ITIMER_REAL, &once, NULL);
}

void crf_watch_while_asleep(void)
{
    if (!armed)
        crf_alarm_in(WATCH_PATIENCE_US);
}

/* The layer's own signals are no reason to end a sleep early. */
uint32_t crf_own_signals(void)
{
    return crf_alarms + crf_interrupts + svm_owner_signals_taken();
}

static void tell(int rank)
{
    crf_fail("what its thread had not committed is lost; "
             "`rck run --json` names the core's end",
             "core %d does not answer: it has stopped, and its thread with "
             "it",
             crf_core_of[rank]);
}

void crf_watch(void)
{
    const struct watch watch = {
        .rank = crf_my_rank,
        .ranks = crf_all_ranks,
        .dead = &crf_control->dead,
        .unread = crf_control->asked,
        .mail = crf_mail,
        .found = crf_wake_all,
        .tell = tell,
    };

    svm_watch_others(&watch);
}

/* Between two looks of a core that waits awake. */
void crf_watch_while_awake(void)
{
    static uint64_t began, last;
    uint64_t now = __builtin_ia32_rdtsc();

    if (now - last > WATCH_PATIENCE / 100) /* another wait */
        began = now;
    last = now;
    if (now - began > WATCH_PATIENCE) {
        began = now;
        crf_watch();
        last = __builtin_ia32_rdtsc();
    }
}
