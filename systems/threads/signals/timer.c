/*
 * timer.c: timer_create with SIGEV_THREAD: a thread for each timer waits on a
 * condition for the next time and calls the function. The C library's own
 * would look into a thread of its making, which ours is not. Timers that send
 * signals are the kernel's.
 */
#include "../threads.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SECOND 1000000000ll
/* As in the C library: the kernel's numbers are not negative. */
#define OURS (1u << 31)

struct timer {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_attr_t attributes;
    clockid_t clock;
    void (*function)(union sigval value);
    union sigval value;
    int64_t next, interval; /* nanoseconds; next 0: not armed */
    int overruns, deleted;
};

static struct timer *ours(timer_t timer)
{
    uintptr_t number = (uintptr_t)timer;

    return number & OURS ? (struct timer *)(number << 1) : NULL;
}

static int64_t nanoseconds(const struct timespec *time)
{
    return time->tv_sec * SECOND + time->tv_nsec;
}

static struct timespec time_of(int64_t nanoseconds)
{
    return (struct timespec){.tv_sec = nanoseconds / SECOND,
                             .tv_nsec = (long)(nanoseconds % SECOND)};
}

static int64_t now_of(const struct timer *timer)
{
    struct timespec now;

    clock_gettime(timer->clock, &now);
    return nanoseconds(&now);
}

/* If the time has come, sets the next one; times that have passed are counted. */
static int has_expired(struct timer *timer)
{
    int64_t late = now_of(timer) - timer->next, missed;

    if (!timer->next || late < 0)
        return 0;
    missed = timer->interval ? late / timer->interval : 0;
    timer->overruns = missed < INT_MAX ? (int)missed : INT_MAX;
    timer->next =
        timer->interval ? timer->next + (missed + 1) * timer->interval : 0;
    return 1;
}

static int start(struct timer *timer);

/* The function has called pthread_exit: another thread serves the timer. */
static void carry_on(void *argument)
{
    start(argument);
}

static void call(struct timer *timer)
{
    pthread_mutex_unlock(&timer->mutex);
    pthread_cleanup_push(carry_on, timer);
    timer->function(timer->value);
    pthread_cleanup_pop(0);
    sched_yield(); /* it may be late already: others of this core have a turn */
    pthread_mutex_lock(&timer->mutex);
}

static void wait_for(struct timer *timer)
{
    struct timespec next = time_of(timer->next);

    if (timer->next)
        pthread_cond_timedwait(&timer->changed, &timer->mutex, &next);
    else
        pthread_cond_wait(&timer->changed, &timer->mutex);
}

static void *serve(void *argument)
{
    struct timer *timer = argument;

    crf_self_record()->detached = CRF_POOLED; /* main may return before it */
    pthread_mutex_lock(&timer->mutex);
    while (!timer->deleted) {
        if (has_expired(timer))
            call(timer);
        else
            wait_for(timer);
    }
    pthread_mutex_unlock(&timer->mutex);
    pthread_cond_destroy(&timer->changed);
    pthread_mutex_destroy(&timer->mutex);
    free(timer);
    return NULL;
}

/* The program's signals are for its own threads. */
static int start(struct timer *timer)
{
    pthread_t thread;
    sigset_t all, before;
    int error;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    error = pthread_create(&thread, &timer->attributes, serve, timer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

pthread_attr_t crf_notifying(const struct sigevent *event)
{
    pthread_attr_t attributes;

    if (event->sigev_notify_attributes)
        attributes = *event->sigev_notify_attributes;
    else
        pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    return attributes;
}

static struct timer *new_timer(clockid_t clock, const struct sigevent *event)
{
    struct timer *timer = calloc(1, sizeof(*timer));
    pthread_condattr_t by_clock;

    if (!timer)
        return NULL;
    timer->clock = clock == CLOCK_REALTIME ? clock : CLOCK_MONOTONIC;
    timer->function = event->sigev_notify_function;
    timer->value = event->sigev_value;
    timer->attributes = crf_notifying(event);
    pthread_mutex_init(&timer->mutex, NULL);
    pthread_condattr_init(&by_clock);
    pthread_condattr_setclock(&by_clock, timer->clock);
    pthread_cond_init(&timer->changed, &by_clock);
    return timer;
}

static int create_ours(clockid_t clock, const struct sigevent *event,
                       timer_t *result)
{
    struct timespec now;
    struct timer *timer;
    int error;

    if (clock_gettime(clock, &now))
        return -1;
    timer = new_timer(clock, event);
    if (!timer)
        return -1;
    error = start(timer);
    if (error) {
        free(timer);
        errno = error;
        return -1;
    }
    *result = (timer_t)(OURS | (uintptr_t)timer >> 1);
    return 0;
}

int timer_create(clockid_t clock, struct sigevent *restrict event,
                 timer_t *restrict result)
{
    int number;

    if (event && event->sigev_notify == SIGEV_THREAD)
        return create_ours(clock, event, result);
    if (syscall(SYS_timer_create, clock, event, &number))
        return -1;
    *result = (timer_t)(intptr_t)number;
    return 0;
}

/* What is left, of a timer whose mutex is held. */
static void put(const struct timer *timer, struct itimerspec *left)
{
    int64_t rest = timer->next ? timer->next - now_of(timer) : 0;

    if (timer->next && rest <= 0)
        rest = 1;
    left->it_value = time_of(rest);
    left->it_interval = time_of(timer->interval);
}

int timer_gettime(timer_t which, struct itimerspec *left)
{
    struct timer *timer = ours(which);

    if (!timer)
        return (int)syscall(SYS_timer_gettime64, which, left);
    pthread_mutex_lock(&timer->mutex);
    put(timer, left);
    pthread_mutex_unlock(&timer->mutex);
    return 0;
}

int timer_settime(timer_t which, int flags,
                  const struct itimerspec *restrict wanted,
                  struct itimerspec *restrict before)
{
    struct timer *timer = ours(which);
    int64_t value = nanoseconds(&wanted->it_value);

    if (!timer)
        return (int)syscall(SYS_timer_settime64, which, flags, wanted, before);
    if (!crf_is_time(&wanted->it_value) || !crf_is_time(&wanted->it_interval)) {
        errno = EINVAL;
        return -1;
    }
    pthread_mutex_lock(&timer->mutex);
    if (before)
        put(timer, before);
    if (value && !(flags & TIMER_ABSTIME))
        value += now_of(timer);
    timer->next = value;
    timer->interval = nanoseconds(&wanted->it_interval);
    timer->overruns = 0;
    pthread_cond_signal(&timer->changed);
    pthread_mutex_unlock(&timer->mutex);
    return 0;
}

int timer_getoverrun(timer_t which)
{
    struct timer *timer = ours(which);

    return timer ? timer->overruns : (int)syscall(SYS_timer_getoverrun, which);
}

int timer_delete(timer_t which)
{
    struct timer *timer = ours(which);

    if (!timer)
        return (int)syscall(SYS_timer_delete, which);
    pthread_mutex_lock(&timer->mutex);
    timer->deleted = 1;
    pthread_cond_signal(&timer->changed);
    pthread_mutex_unlock(&timer->mutex);
    return 0;
}
