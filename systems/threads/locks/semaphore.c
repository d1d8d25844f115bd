/*
 * semaphore.c: counting semaphores of one program.
 */
#include "../threads.h"

#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    struct crf_object *object;

    (void)shared;
    if (value > INT_MAX) {
        errno = crf_error(EINVAL);
        return -1;
    }
    object = crf_object(semaphore, CRF_SEMAPHORE, 1);
    object->count = value;
    crf_object_done(object);
    return 0;
}

int sem_destroy(sem_t *semaphore)
{
    crf_object_end(crf_object(semaphore, CRF_SEMAPHORE, 0));
    return 0;
}

/* `until`: 0 without limit, NOW not at all. */
#define NOW 1u

static int take(sem_t *semaphore, uint64_t until, int late)
{
    struct crf_object *object;

    pthread_testcancel();
    object = crf_object(semaphore, CRF_SEMAPHORE, 0);
    if (object->count > 0) {
        object->count--;
        crf_object_done(object);
    } else if (until == NOW) {
        crf_object_done(object);
        crf_back_off();
        errno = late;
        return -1;
    } else {
        crf_enqueue(object, &object->waiting);
        if (!crf_sleep_at(semaphore, CRF_SEMAPHORE, until, crf_cancellable())) {
            pthread_testcancel();
            errno = late;
            return -1;
        }
    }
    crf_acquire_from(semaphore);
    return 0;
}

int sem_wait(sem_t *semaphore)
{
    return take(semaphore, 0, EINTR);
}

int sem_trywait(sem_t *semaphore)
{
    return take(semaphore, NOW, EAGAIN);
}

int sem_timedwait(sem_t *restrict semaphore,
                  const struct timespec *restrict time)
{
    uint64_t end;

    if (!take(semaphore, NOW, EAGAIN)) /* then the time is not looked at */
        return 0;
    if (!crf_is_time(time)) {
        errno = EINVAL;
        return -1;
    }
    end = crf_time_stamp(time);
    return take(semaphore, end > NOW ? end : NOW, ETIMEDOUT);
}

int sem_post(sem_t *semaphore)
{
    struct crf_object *object;
    int next;

    crf_release_to(semaphore);
    object = crf_object(semaphore, CRF_SEMAPHORE, 0);
    next = crf_dequeue(&object->waiting);
    if (next < 0)
        object->count++;
    crf_object_done(object);
    if (next >= 0)
        crf_wake(next);
    return 0;
}

int sem_getvalue(sem_t *restrict semaphore, int *restrict value)
{
    struct crf_object *object = crf_object(semaphore, CRF_SEMAPHORE, 0);

    *value = (int)object->count;
    crf_object_done(object);
    return 0;
}
