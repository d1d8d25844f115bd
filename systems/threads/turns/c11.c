/*
 * c11.c: the functions of threads.h, by those of pthread.h.
 */
#include "../threads.h"

#include <errno.h>
#include <sched.h>
#include <threads.h>

static int answer(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case EAGAIN:
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

/* An int is returned where a pointer is. */
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)
{
    return answer(pthread_create(thread, NULL, (void *(*)(void *))(void *)start,
                                 argument));
}

_Noreturn void thrd_exit(int result)
{
    pthread_exit((void *)result);
}

int thrd_join(thrd_t thread, int *result)
{
    void *value;
    int error = pthread_join(thread, &value);

    if (!error && result)
        *result = (int)value;
    return answer(error);
}

int thrd_detach(thrd_t thread)
{
    return answer(pthread_detach(thread));
}

thrd_t thrd_current(void)
{
    return pthread_self();
}

#undef thrd_equal
int thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

void thrd_yield(void)
{
    sched_yield();
}

int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);

    return !error ? 0 : error == EINTR ? -1 : -2;
}

int mtx_init(mtx_t *mutex, int type)
{
    pthread_mutexattr_t attributes = {0};

    if (type & mtx_recursive)
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    return answer(pthread_mutex_init((pthread_mutex_t *)mutex, &attributes));
}

void mtx_destroy(mtx_t *mutex)
{
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
}

int mtx_lock(mtx_t *mutex)
{
    return answer(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

int mtx_trylock(mtx_t *mutex)
{
    return answer(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict time)
{
    return answer(pthread_mutex_timedlock((pthread_mutex_t *)mutex, time));
}

int mtx_unlock(mtx_t *mutex)
{
    return answer(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

int cnd_init(cnd_t *condition)
{
    return answer(pthread_cond_init((pthread_cond_t *)condition, NULL));
}

void cnd_destroy(cnd_t *condition)
{
    pthread_cond_destroy((pthread_cond_t *)condition);
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return answer(pthread_cond_wait((pthread_cond_t *)condition,
                                    (pthread_mutex_t *)mutex));
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                  const struct timespec *restrict time)
{
    return answer(pthread_cond_timedwait((pthread_cond_t *)condition,
                                         (pthread_mutex_t *)mutex, time));
}

int cnd_signal(cnd_t *condition)
{
    return answer(pthread_cond_signal((pthread_cond_t *)condition));
}

int cnd_broadcast(cnd_t *condition)
{
    return answer(pthread_cond_broadcast((pthread_cond_t *)condition));
}

void call_once(once_flag *flag, void (*routine)(void))
{
    pthread_once(flag, routine);
}

int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return answer(pthread_key_create(key, destructor));
}

void tss_delete(tss_t key)
{
    pthread_key_delete(key);
}

void *tss_get(tss_t key)
{
    return pthread_getspecific(key);
}

int tss_set(tss_t key, void *value)
{
    return answer(pthread_setspecific(key, value));
}
