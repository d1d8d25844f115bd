/*
 * condition.c: condition variables. A core waits in the condition's own mask:
 * none is woken but by a signal.
 */
#include "threads.h"

#include <errno.h>

/* The clock of all cores' time stamps, read once against CLOCK_REALTIME. */
uint64_t crf_time_stamp(const struct timespec *time)
{
    static uint64_t cycles, nanoseconds, per_second;
    struct timespec now, later;

    if (!per_second) {
        uint64_t begin = __builtin_ia32_rdtsc();

        clock_gettime(CLOCK_REALTIME, &now);
        do
            clock_gettime(CLOCK_REALTIME, &later);
        while ((later.tv_sec - now.tv_sec) * 1000000000ll + later.tv_nsec -
                   now.tv_nsec <
               20000);
        cycles = __builtin_ia32_rdtsc();
        nanoseconds =
            (uint64_t)later.tv_sec * 1000000000u + (uint64_t)later.tv_nsec;
        per_second = (cycles - begin) * 1000000000u /
                     ((uint64_t)(later.tv_sec - now.tv_sec) * 1000000000u +
                      (uint64_t)(later.tv_nsec - now.tv_nsec));
    }
    uint64_t until =
        (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
    return until <= nanoseconds
               ? 0
               : cycles + (uint64_t)((double)(until - nanoseconds) *
                                     (double)per_second / 1e9);
}

int pthread_cond_init(pthread_cond_t *restrict condition,
                      const pthread_condattr_t *restrict attributes)
{
    (void)attributes;
    crf_object_done(crf_object(condition, CRF_CONDITION, 1));
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    crf_object_end(crf_object(condition, CRF_CONDITION, 0));
    return 0;
}

static void wait_begin(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    struct crf_object *object = crf_object(condition, CRF_CONDITION, 0);

    crf_enqueue(object, object->waiting);
    crf_unlock(mutex, CRF_MUTEX);
}

int pthread_cond_wait(pthread_cond_t *restrict condition,
                      pthread_mutex_t *restrict mutex)
{
    wait_begin(condition, mutex);
    crf_sleep();
    return crf_lock(mutex, CRF_MUTEX, 0);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition,
                           pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict time)
{
    uint64_t end = crf_time_stamp(time);
    struct crf_object *object;
    uint32_t bit = 1u << crf_my_rank % 32;
    int late = 0;

    wait_begin(condition, mutex);
    if (!crf_sleep_until(end)) {
        object = crf_object(condition, CRF_CONDITION, 0);
        late = (object->waiting[crf_my_rank / 32] & bit) != 0;
        object->waiting[crf_my_rank / 32] &= ~bit;
        crf_object_done(object);
        if (!late) /* a signal came after all */
            crf_sleep();
    }
    crf_lock(mutex, CRF_MUTEX, 0);
    return late ? ETIMEDOUT : 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    struct crf_object *object = crf_object(condition, CRF_CONDITION, 0);
    int next = crf_dequeue(object->waiting, (int)object->more[0]);

    if (next >= 0)
        object->more[0] = (uint32_t)next; /* who waits longest is not passed */
    crf_object_done(object);
    if (next >= 0)
        crf_wake(next);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    struct crf_object *object = crf_object(condition, CRF_CONDITION, 0);
    uint32_t all[2] = {object->waiting[0], object->waiting[1]};

    object->waiting[0] = object->waiting[1] = 0;
    crf_object_done(object);
    crf_wake_mask(all);
    return 0;
}
