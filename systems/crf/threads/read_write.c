/*
 * read_write.c: read-write locks. A writer that waits keeps new readers out;
 * what it leaves goes to all readers that wait.
 */
#include "threads.h"

#include <errno.h>

int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
                        const pthread_rwlockattr_t *restrict attributes)
{
    (void)attributes;
    crf_object_done(crf_object(lock, CRF_READ_WRITE, 1));
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    crf_object_end(crf_object(lock, CRF_READ_WRITE, 0));
    return 0;
}

/* Writers wait in `waiting`, readers in `more`. */
static int take(pthread_rwlock_t *lock, int write, int try_only)
{
    struct crf_object *object = crf_object(lock, CRF_READ_WRITE, 0);
    int taken = object->holder != 0 ||
                (write ? object->count != 0
                       : (object->waiting[0] | object->waiting[1]) != 0);

    if (object->holder == (uint32_t)crf_my_rank + 1) {
        crf_object_done(object);
        return try_only ? EBUSY : EDEADLK;
    }
    if (taken && try_only) {
        crf_object_done(object);
        return EBUSY;
    }
    if (taken) {
        crf_enqueue(object, write ? object->waiting : object->more);
        crf_sleep();
    } else {
        if (write)
            object->holder = (uint32_t)crf_my_rank + 1;
        else
            object->count++;
        crf_object_done(object);
    }
    crf_acquire();
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return take(lock, 0, 0);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    return take(lock, 0, 1);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return take(lock, 1, 0);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    return take(lock, 1, 1);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    struct crf_object *object;
    uint32_t all[2] = {0, 0};
    int next = -1;

    crf_release();
    object = crf_object(lock, CRF_READ_WRITE, 0);
    if (object->holder) {
        object->holder = 0;
        all[0] = object->more[0];
        all[1] = object->more[1];
        object->more[0] = object->more[1] = 0;
        object->count =
            (uint32_t)(__builtin_popcount(all[0]) + __builtin_popcount(all[1]));
    } else if (object->count) {
        object->count--;
    }
    if (object->count == 0) {
        next = crf_dequeue(object->waiting, crf_my_rank);
        object->holder = (uint32_t)(next + 1);
    }
    crf_object_done(object);
    crf_wake_mask(all);
    if (next >= 0)
        crf_wake(next);
    return 0;
}
