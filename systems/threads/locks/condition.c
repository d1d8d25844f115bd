/*
 * condition.c: condition variables. A core waits in the condition's own mask:
 * none is woken but by a signal.
 */
#include "../../crf/pages/pages.h"
#include "../threads.h"

#include <errno.h>

#define CLOCK_BITS 0x7fffffffu

static int64_t nanoseconds(const struct timespec *time)
{
    return time->tv_sec * 1000000000ll + time->tv_nsec;
}

int crf_is_time(const struct timespec *time)
{
    return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/* Cycles of a millisecond, measured once. */
int64_t crf_cycles_of_a_millisecond(void)
{
    static int64_t cycles;
    struct timespec first, now;
    uint64_t begin = __builtin_ia32_rdtsc();

    if (cycles)
        return cycles;
    clock_gettime(CLOCK_MONOTONIC, &first);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (nanoseconds(&now) - nanoseconds(&first) < 20000);
    cycles = (int64_t)(__builtin_ia32_rdtsc() - begin) * 1000000 /
             (nanoseconds(&now) - nanoseconds(&first));
    return cycles;
}

uint64_t crf_time_stamp_of(clockid_t clock, const struct timespec *time)
{
    int64_t rate = crf_cycles_of_a_millisecond(), left;
    struct timespec now;

    clock_gettime(clock, &now);
    left = nanoseconds(time) - nanoseconds(&now);
    if (left <= 0)
        return 1;
    if (left > 1000000000000ll) /* a quarter of an hour is no less than ever */
        left = 1000000000000ll;
    return __builtin_ia32_rdtsc() + (uint64_t)(left * rate / 1000000);
}

uint64_t crf_time_stamp(const struct timespec *time)
{
    return crf_time_stamp_of(CLOCK_REALTIME, time);
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    crf_object_end(crf_object(condition, CRF_CONDITION, 0));
    return 0;
}

/* Which clock its times are of is kept in the condition. */
int pthread_cond_init(pthread_cond_t *restrict condition,
                      const pthread_condattr_t *restrict attributes)
{
    struct crf_object *object = crf_object(condition, CRF_CONDITION, 1);

    if (attributes)
        object->setting = attributes->__attr & CLOCK_BITS;
    crf_object_done(object);
    return 0;
}

/* `until`: 0 without limit. ETIMEDOUT: the time has come first; EPERM: the
 * mutex was not this thread's, which is said before a wait without an end. */
static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                uint64_t until, const void *site)
{
    struct crf_object *object;
    int woken, error;

    pthread_testcancel();
    object = crf_object(condition, CRF_CONDITION, 0);
    crf_enqueue(object, &object->waiting);
    error = crf_unlock(mutex, CRF_MUTEX);
    if (error)
        crf_error_at(error, site);
    woken = crf_sleep_at(condition, CRF_CONDITION, until, crf_cancellable());
    crf_lock(mutex, CRF_MUTEX, 0);
    crf_order_acquire(condition);
    if (!woken)
        pthread_testcancel();
    return woken ? error : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *restrict condition,
                      pthread_mutex_t *restrict mutex)
{
    return wait(condition, mutex, 0, __builtin_return_address(0));
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition,
                           pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict time)
{
    struct crf_object *object = crf_object(condition, CRF_CONDITION, 0);
    clockid_t clock = (clockid_t)object->setting;
    uint64_t until;

    crf_object_done(object);
    if (!crf_is_time(time))
        return crf_error(EINVAL);
    until = crf_time_stamp_of(clock, time);
    return wait(condition, mutex, until, __builtin_return_address(0));
}

/* Signalling synchronises memory (POSIX, XBD 4.12), the mutex held or not. */
int pthread_cond_signal(pthread_cond_t *condition)
{
    struct crf_object *object;
    int next;

    crf_release_to(condition);
    object = crf_object(condition, CRF_CONDITION, 0);
    next = crf_dequeue(&object->waiting);
    crf_object_done(object);
    if (next >= 0)
        crf_wake(next);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    struct crf_object *object;
    uint32_t all;

    crf_release_to(condition);
    object = crf_object(condition, CRF_CONDITION, 0);
    all = crf_take_all(&object->waiting);
    crf_object_done(object);
    crf_wake_chain(all);
    return 0;
}
