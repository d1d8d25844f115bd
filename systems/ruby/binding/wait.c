/* Waiting for another core while this core's other threads run.
 *
 * The library polls, and calls rcce_idle in each round. After some rounds
 * without news the thread gives the core away: it sleeps until it is rung for
 * (scc/bell.h), a while at most, because a partner that is no Ruby does not
 * ring. One thread at a time watches the bell, and wakes the others, which
 * look at their flags. With RCCE_PEEK=poll nobody sleeps: threads take turns.
 *
 * Thread#raise, Timeout and Ctrl-C end a wait at its next rest: an exception
 * leaves the library's call, of which nothing but its stack frames is there.
 */
#include "binding.h"
#include "ruby/thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scc/bell.h"
#include "scc/job.h"
#include "scc/time.h"

/* A partner that polls begins to answer within so many rounds. */
#define RING_AFTER 50
/* Of one sleep: it doubles while there is no news. */
#define SHORTEST_NS 20000ull
#define LONGEST_NS 2000000ull
#define SECOND 1000000000l

static struct wait *current;
static int polls; /* nobody sleeps */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rung;
static int watched;

struct sleep {
    uint64_t until;      /* of this library's clock */
    struct timespec end; /* the same of the condition's clock */
    pthread_t thread;
    volatile int stop;
};

static void *sleep_once(void *given)
{
    struct sleep *sleep = given;

    pthread_mutex_lock(&lock);
    if (!sleep->stop && watched) {
        pthread_cond_timedwait(&rung, &lock, &sleep->end);
    } else if (!sleep->stop) {
        watched = 1;
        pthread_mutex_unlock(&lock);
        scc_bell_sleep(sleep->until, NULL, 0);
        pthread_mutex_lock(&lock);
        watched = 0;
        pthread_cond_broadcast(&rung);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* From another thread of this core: the sleep ends, or ends by its time. */
static void stop_sleep(void *given)
{
    struct sleep *sleep = given;

    sleep->stop = 1;
    pthread_kill(sleep->thread, SIGVTALRM);
}

void rcce_ruby_ring(int ue)
{
    const struct scc_job *job = scc_job();

    if (!polls && job && ue >= 0 && ue < job->ranks)
        scc_bell_ring(job->core_of[ue]);
}

/* The time is up, unless the partner is at work on something else. */
static void take_longer(struct wait *wait, uint64_t now)
{
    uint32_t heart = rcce_ruby_heart(wait->ue);

    if (!wait->longer || heart == wait->heart)
        rcce_ruby_time_up(wait->ue);
    wait->heart = heart;
    wait->until = now + wait->longer;
}

/* Gives the core away for a while, and raises what there is to be raised. */
void rcce_ruby_rest(struct wait *wait)
{
    struct sleep sleep = {.thread = pthread_self()};
    uint64_t now = scc_now_ns(), length = SHORTEST_NS;
    unsigned doubled = wait->rounds - PATIENCE;

    if (wait->until != SCC_NEVER && now >= wait->until)
        take_longer(wait, now);
    if (polls) {
        rb_thread_schedule();
        rb_thread_check_ints();
        return;
    }
    if (wait->rings)
        rcce_ruby_ring(wait->ue);
    while (doubled-- > 0 && length < LONGEST_NS)
        length *= 2;
    if (wait->until != SCC_NEVER && wait->until - now < length)
        length = wait->until - now;
    sleep.until = now + length;
    clock_gettime(CLOCK_MONOTONIC, &sleep.end);
    sleep.end.tv_nsec += (long)length;
    if (sleep.end.tv_nsec >= SECOND) {
        sleep.end.tv_nsec -= SECOND;
        sleep.end.tv_sec++;
    }
    rb_thread_call_without_gvl(sleep_once, &sleep, stop_sleep, &sleep);
    rb_thread_check_ints();
}

static void idle(void)
{
    struct wait *wait = current;

    if (!wait)
        return;
    if (++wait->rounds == RING_AFTER && wait->rings)
        rcce_ruby_ring(wait->ue);
    if (wait->rounds <= PATIENCE)
        return;
    rcce_ruby_rest(wait);
    current = wait;
}

/* RCCE_peek, which calls idle as well: there is no wait to go on with, least
 * of all that of another thread. */
int rcce_ruby_peek(char *bytes, size_t size, int ue)
{
    struct wait *others = current;
    int code;

    current = NULL;
    code = RCCE_peek(bytes, size, ue);
    current = others;
    return code;
}

struct called {
    struct wait *wait;
    int (*call)(void *);
    void *argument;
    int code;
};

static VALUE call_it(VALUE given)
{
    struct called *called = (struct called *)given;

    called->code = called->call(called->argument);
    return Qnil;
}

static VALUE leave(VALUE given)
{
    current = ((struct called *)given)->wait->outer;
    return Qnil;
}

/* The library's call with this wait; returns its code. */
int rcce_ruby_waiting(struct wait *wait, int (*call)(void *), void *argument)
{
    struct called called = {.wait = wait, .call = call, .argument = argument};

    wait->outer = NULL;
    wait->rounds = 0;
    current = wait;
    rb_ensure(call_it, (VALUE)&called, leave, (VALUE)&called);
    return called.code;
}

void rcce_ruby_wait_open(void)
{
    const char *way = getenv("RCCE_PEEK");
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&rung, &attributes);
    polls = (way && strcmp(way, "poll") == 0) || !scc_bell_open();
    rcce_idle = idle;
}
