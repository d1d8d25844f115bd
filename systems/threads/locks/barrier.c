/*
 * barrier.c: barriers, and what is done once.
 */
#include "../threads.h"

#include <errno.h>

int pthread_barrier_init(pthread_barrier_t *restrict barrier,
                         const pthread_barrierattr_t *restrict attributes,
                         unsigned count)
{
    struct crf_object *object;

    (void)attributes;
    if (count == 0)
        return crf_error(EINVAL);
    object = crf_object(barrier, CRF_BARRIER, 1);
    object->setting = count;
    crf_object_done(object);
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    crf_object_end(crf_object(barrier, CRF_BARRIER, 0));
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    struct crf_object *object;
    uint32_t round;
    int last;

    crf_release();
    object = crf_object(barrier, CRF_BARRIER, 0);
    if (crf_is_new) {
        crf_object_end(object);
        return crf_error(EINVAL);
    }
    round = object->holder;
    crf_order_release_one(barrier, round);
    last = ++object->count == object->setting;
    if (last) {
        uint32_t all = crf_take_all(&object->waiting);

        object->count = 0;
        object->holder = !round; /* who comes again does not wait for this */
        crf_object_done(object);
        crf_wake_chain(all);
    } else {
        crf_enqueue(object, &object->waiting);
        crf_sleep();
    }
    crf_acquire();
    crf_order_acquire_one(barrier, round);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

enum { NOT_DONE, BEGUN, DONE };

int crf_once_begin(const void *once)
{
    for (;;) {
        struct crf_object *object = crf_object(once, CRF_ONCE, 0);
        uint32_t state = object->count;

        if (state == BEGUN) {
            crf_enqueue(object, &object->waiting);
            crf_sleep();
            continue;
        }
        object->count = state == DONE ? DONE : BEGUN;
        crf_object_done(object);
        crf_acquire_from(once);
        return state == NOT_DONE;
    }
}

void crf_once_end(const void *once, int done)
{
    struct crf_object *object;
    uint32_t all;

    crf_release_to(once);
    object = crf_object(once, CRF_ONCE, 0);
    object->count = done ? DONE : NOT_DONE;
    all = crf_take_all(&object->waiting);
    crf_object_done(object);
    crf_wake_chain(all);
}

static void not_done(void *once)
{
    crf_once_end(once, 0);
}

/* What a library does once, it does on each core: its data are each one's. A
 * thread that is cancelled in it has not done it. */
int pthread_once(pthread_once_t *once, void (*routine)(void))
{
    if (crf_once_begin(once)) {
        pthread_cleanup_push(not_done, once);
        routine();
        pthread_cleanup_pop(0);
        crf_once_end(once, 1);
    }
    return 0;
}
