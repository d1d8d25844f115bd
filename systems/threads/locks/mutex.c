/*
 * mutex.c: mutexes and spin locks: both are handed over from core to core.
 */
#include "../threads.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define NOW 1u /* a time stamp that has passed */

int crf_lock_is_new;

/* The type of a mutex that one of PTHREAD_..._MUTEX_INITIALIZER_NP made. */
static uint32_t type_of(const pthread_mutex_t *mutex)
{
    const char *rest = (const char *)mutex + sizeof(uint32_t);
    uint32_t type = *(const uint32_t *)(const void *)mutex;

    if (type != PTHREAD_MUTEX_RECURSIVE && type != PTHREAD_MUTEX_ERRORCHECK)
        return PTHREAD_MUTEX_NORMAL;
    return crf_is_blank(rest, sizeof *mutex - sizeof type)
               ? type
               : PTHREAD_MUTEX_NORMAL;
}

/* Takes the lock, or waits until it is handed over; `lock`: the object at `at`,
 * which the caller has opened. */
static int take(struct crf_object *lock, const void *at, enum crf_kind kind,
                uint64_t until)
{
    uint32_t self = crf_self + 1, setting = crf_ranked ? lock->setting : 0;

    crf_lock_is_new = crf_is_new;
    if (crf_ranked && crf_protocol_refuses(lock)) {
        crf_object_done(lock);
        return EINVAL;
    }
    if (lock->holder == 0) {
        lock->holder = self;
        crf_object_done(lock);
    } else if (lock->holder == self && lock->setting & CRF_MUTEX_TYPES) {
        int recursive =
            (lock->setting & CRF_MUTEX_TYPES) == PTHREAD_MUTEX_RECURSIVE;

        if (recursive)
            lock->count++;
        crf_object_done(lock);
        return recursive ? 0 : until == NOW ? EBUSY : EDEADLK;
    } else if (until == NOW) {
        crf_object_done(lock);
        return EBUSY;
    } else {
        if (!lock->waiting.first)
            crf_expect_soon();
        if (setting)
            crf_protocol_waits(lock);
        crf_enqueue(lock, &lock->waiting);
        if (!crf_sleep_at(at, kind, until, crf_cancellable_anywhere())) {
            if (crf_cancel_now())
                pthread_exit(PTHREAD_CANCELED);
            return ETIMEDOUT;
        }
    }
    if (setting)
        crf_protocol_taken(setting);
    crf_acquire_from(at);
    return 0;
}

/* Who tries in vain tries again, most likely: not so often that the lock cannot
 * be given back. */
static int backed_off(int error)
{
    if (error == EBUSY)
        crf_back_off();
    return error;
}

int crf_lock(const void *at, enum crf_kind kind, int try_only)
{
    struct crf_object *lock = crf_object(at, kind, 0);

    return backed_off(take(lock, at, kind, try_only ? NOW : 0));
}

/* Without the commit, which the caller has made. */
static int hand_over(const void *at, enum crf_kind kind)
{
    struct crf_object *lock = crf_object(at, kind, 0);
    uint32_t setting = crf_ranked ? lock->setting : 0;
    int next, after;

    if (lock->holder != crf_self + 1) {
        crf_object_done(lock);
        return EPERM;
    }
    if (lock->count > 0) {
        lock->count--;
        crf_object_done(lock);
        return 0;
    }
    next = crf_dequeue(&lock->waiting);
    lock->holder = (uint32_t)(next + 1);
    after = (int)lock->waiting.first - 1;
    crf_object_done(lock);
    if (setting)
        crf_protocol_left(setting);
    if (next >= 0)
        crf_wake(next);
    if (after >= 0) /* so that it looks when its turn comes */
        crf_rouse(after);
    return 0;
}

int crf_unlock(const void *at, enum crf_kind kind)
{
    crf_release_to(at);
    return hand_over(at, kind);
}

/* The mutex is then as PTHREAD_MUTEX_INITIALIZER leaves it: what is not was
 * never initialised. */
int pthread_mutex_init(pthread_mutex_t *mutex,
                       const pthread_mutexattr_t *attributes)
{
    struct crf_object *lock = crf_object(mutex, CRF_MUTEX, 1);

    memset(mutex, 0, sizeof *mutex);
    if (attributes)
        lock->setting = crf_mutex_setting(attributes);
    crf_object_done(lock);
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    struct crf_object *lock = crf_object(mutex, CRF_MUTEX, 0);

    if (lock->holder) {
        crf_object_done(lock);
        return crf_error(EBUSY);
    }
    crf_object_end(lock);
    return 0;
}

/* A mutex that nobody has used yet has the type of its initialiser. */
static int take_mutex(const pthread_mutex_t *mutex, uint64_t until)
{
    struct crf_object *lock = crf_object(mutex, CRF_MUTEX, 0);

    if (crf_is_new)
        lock->setting = type_of(mutex);
    return take(lock, mutex, CRF_MUTEX, until);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int error = take_mutex(mutex, 0);

    if (crf_lock_is_new && !crf_is_blank(mutex, sizeof *mutex) &&
        !type_of(mutex))
        error = CRF_NOT_INITIALISED;
    return crf_error(error);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return backed_off(take_mutex(mutex, NOW));
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                            const struct timespec *restrict time)
{
    int error = pthread_mutex_trylock(mutex);
    uint64_t end;

    if (error != EBUSY) /* then the time is not looked at */
        return error;
    if (!crf_is_time(time))
        return crf_error(EINVAL);
    end = crf_time_stamp(time);
    return take_mutex(mutex, end > NOW ? end : NOW + 1);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return crf_error(crf_unlock(mutex, CRF_MUTEX));
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
    return crf_error(crf_unlock((const void *)lock, CRF_SPIN));
}
