/*
 * mutex.c: mutexes and spin locks: both are handed over from core to core.
 */
#include "threads.h"

#include <errno.h>
#include <pthread.h>

/* Takes the lock, or waits until it is handed over. */
int crf_lock(const void *at, enum crf_kind kind, int try_only)
{
    struct crf_object *lock = crf_object(at, kind, 0);
    uint32_t self = (uint32_t)crf_my_rank + 1;

    if (lock->holder == 0) {
        lock->holder = self;
        crf_object_done(lock);
    } else if (lock->holder == self && lock->more[0] != PTHREAD_MUTEX_NORMAL) {
        int recursive = lock->more[0] == PTHREAD_MUTEX_RECURSIVE;

        if (recursive)
            lock->count++;
        crf_object_done(lock);
        return recursive ? 0 : try_only ? EBUSY : EDEADLK;
    } else if (try_only) {
        crf_object_done(lock);
        return EBUSY;
    } else {
        crf_enqueue(lock, lock->waiting);
        crf_sleep();
    }
    crf_acquire();
    return 0;
}

/* Without the commit, which the caller has made. */
static int hand_over(const void *at, enum crf_kind kind)
{
    struct crf_object *lock = crf_object(at, kind, 0);
    int next;

    if (lock->holder != (uint32_t)crf_my_rank + 1) {
        crf_object_done(lock);
        return EPERM;
    }
    if (lock->count > 0) {
        lock->count--;
        crf_object_done(lock);
        return 0;
    }
    next = crf_dequeue(lock->waiting, crf_my_rank);
    lock->holder = (uint32_t)(next + 1);
    crf_object_done(lock);
    if (next >= 0)
        crf_wake(next);
    return 0;
}

int crf_unlock(const void *at, enum crf_kind kind)
{
    crf_release();
    return hand_over(at, kind);
}

int pthread_mutex_init(pthread_mutex_t *mutex,
                       const pthread_mutexattr_t *attributes)
{
    struct crf_object *lock = crf_object(mutex, CRF_MUTEX, 1);

    if (attributes)
        lock->more[0] = attributes->__attr & 3;
    crf_object_done(lock);
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    struct crf_object *lock = crf_object(mutex, CRF_MUTEX, 0);

    if (lock->holder) {
        crf_object_done(lock);
        return EBUSY;
    }
    crf_object_end(lock);
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return crf_lock(mutex, CRF_MUTEX, 0);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return crf_lock(mutex, CRF_MUTEX, 1);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                            const struct timespec *restrict time)
{
    uint64_t end = crf_time_stamp(time);
    int error;

    while ((error = crf_lock(mutex, CRF_MUTEX, 1)) == EBUSY)
        if (__builtin_ia32_rdtsc() >= end)
            return ETIMEDOUT;
    return error;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return crf_unlock(mutex, CRF_MUTEX);
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    crf_object_done(crf_object((const void *)lock, CRF_SPIN, 1));
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    crf_object_end(crf_object((const void *)lock, CRF_SPIN, 0));
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    return crf_lock((const void *)lock, CRF_SPIN, 0);
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    return crf_lock((const void *)lock, CRF_SPIN, 1);
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    return crf_unlock((const void *)lock, CRF_SPIN);
}
