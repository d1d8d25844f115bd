/*
 * lock.c: the locks of omp.h: mutexes whose state lies off-die.
 */
#include "../openmp.h"

#define READY 0x6f6d706cu /* no other memory looks like a lock */

static void start(omp_lock_t *lock, uint32_t kind)
{
    struct crf_object *object = crf_object(lock, CRF_MUTEX, 1);

    lock->ready = READY;
    object->setting = kind;
    crf_object_done(object);
}

void omp_init_lock(omp_lock_t *lock)
{
    start(lock, PTHREAD_MUTEX_NORMAL);
}

void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)
{
    (void)hint;
    omp_init_lock(lock);
}

void omp_destroy_lock(omp_lock_t *lock)
{
    lock->ready = 0;
    crf_object_end(crf_object(lock, CRF_MUTEX, 0));
}

void omp_set_lock(omp_lock_t *lock)
{
    int error = crf_lock(lock, CRF_MUTEX, 0);

    if (crf_lock_is_new && lock->ready != READY)
        error = CRF_NOT_INITIALISED;
    crf_error(error);
}

void omp_unset_lock(omp_lock_t *lock)
{
    crf_error(crf_unlock(lock, CRF_MUTEX));
}

int omp_test_lock(omp_lock_t *lock)
{
    return crf_lock(lock, CRF_MUTEX, 1) == 0;
}

void omp_init_nest_lock(omp_nest_lock_t *lock)
{
    start(lock, PTHREAD_MUTEX_RECURSIVE);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
    (void)hint;
    omp_init_nest_lock(lock);
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock)
{
    omp_destroy_lock(lock);
}

void omp_set_nest_lock(omp_nest_lock_t *lock)
{
    omp_set_lock(lock);
}

void omp_unset_nest_lock(omp_nest_lock_t *lock)
{
    omp_unset_lock(lock);
}

/* How often it is held now. */
int omp_test_nest_lock(omp_nest_lock_t *lock)
{
    struct crf_object *object;
    int times;

    if (!omp_test_lock(lock))
        return 0;
    object = crf_object(lock, CRF_MUTEX, 0);
    times = (int)object->count + 1;
    crf_object_done(object);
    return times;
}
