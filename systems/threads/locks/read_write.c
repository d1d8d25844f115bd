/*
 * read_write.c: read-write locks. A writer that waits keeps new readers out,
 * those of a higher priority excepted; what it leaves goes to all readers that
 * wait.
 */
#include "../threads.h"

#include <errno.h>
#include <string.h>

int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
                        const pthread_rwlockattr_t *restrict attributes)
{
    (void)attributes;
    crf_object_done(crf_object(lock, CRF_READ_WRITE, 1));
    memset(lock, 0, sizeof *lock);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    crf_object_end(crf_object(lock, CRF_READ_WRITE, 0));
    return 0;
}

/* What was left with the lock: readers are not ordered among themselves. */
enum { BY_WRITERS, BY_READERS };

#define NOW 1u /* a time stamp that has passed */

static int lock_is_new;

/* A writer that waits no more: those that it kept out may read. */
static void let_readers_in(pthread_rwlock_t *lock)
{
    struct crf_object *object = crf_object(lock, CRF_READ_WRITE, 0);
    uint32_t readers = 0;

    if (!object->holder && !object->waiting.first) {
        readers = crf_take_all(&object->others);
        object->count += crf_count(readers);
    }
    crf_object_done(object);
    crf_wake_chain(readers);
}

static int keeps_out(uint32_t writer)
{
    return writer &&
           !(crf_ranked && crf_running->priority > crf_priority(writer - 1));
}

/* Writers wait in `waiting`, readers in `others`; until a time stamp, or 0:
 * without limit. */
static int take(pthread_rwlock_t *lock, int write, uint64_t until)
{
    struct crf_object *object = crf_object(lock, CRF_READ_WRITE, 0);
    int taken = object->holder != 0 ||
                (write ? object->count != 0 : keeps_out(object->waiting.first));

    lock_is_new = crf_is_new;
    if (object->holder == crf_self + 1) {
        crf_object_done(object);
        return until == NOW ? EBUSY : EDEADLK;
    }
    if (taken && until == NOW) {
        crf_object_done(object);
        crf_back_off();
        return EBUSY;
    }
    if (taken) {
        crf_enqueue(object, write ? &object->waiting : &object->others);
        if (!crf_sleep_at(lock, CRF_READ_WRITE, until,
                          crf_cancellable_anywhere())) {
            if (write)
                let_readers_in(lock);
            if (crf_cancel_now())
                pthread_exit(PTHREAD_CANCELED);
            return ETIMEDOUT;
        }
    } else {
        if (write)
            object->holder = crf_self + 1;
        else
            object->count++;
        crf_object_done(object);
    }
    crf_acquire();
    crf_order_acquire_one(lock, BY_WRITERS);
    if (write)
        crf_order_acquire_one(lock, BY_READERS);
    return 0;
}

static int take_until(pthread_rwlock_t *lock, int write,
                      const struct timespec *time)
{
    int error = take(lock, write, NOW);
    uint64_t end;

    if (error != EBUSY) /* then the time is not looked at */
        return error;
    if (!crf_is_time(time))
        return EINVAL;
    end = crf_time_stamp(time);
    return take(lock, write, end > NOW ? end : NOW + 1);
}

static int checked(const pthread_rwlock_t *lock, int error)
{
    int blank = !lock_is_new || crf_is_blank(lock, sizeof *lock);

    return blank ? error : CRF_NOT_INITIALISED;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return crf_error(checked(lock, take(lock, 0, 0)));
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    return take(lock, 0, NOW);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return crf_error(checked(lock, take(lock, 1, 0)));
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    return take(lock, 1, NOW);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict time)
{
    return take_until(lock, 0, time);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict time)
{
    return take_until(lock, 1, time);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    struct crf_object *object;
    uint32_t readers = 0;
    int next = -1;

    crf_release();
    object = crf_object(lock, CRF_READ_WRITE, 0);
    if (!object->holder && !object->count) {
        crf_object_done(object);
        return crf_error(EPERM);
    }
    crf_order_release_one(lock, object->holder ? BY_WRITERS : BY_READERS);
    if (object->holder) {
        object->holder = 0;
        readers = crf_take_all(&object->others);
        object->count = crf_count(readers);
    } else {
        object->count--;
    }
    if (object->count == 0) {
        next = crf_dequeue(&object->waiting);
        object->holder = (uint32_t)(next + 1);
    }
    crf_object_done(object);
    crf_wake_chain(readers);
    if (next >= 0)
        crf_wake(next);
    return 0;
}
