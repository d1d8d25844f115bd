/*
 * other.c: what is simple, or has no effect where each thread keeps its core.
 */
#include "../threads.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

pthread_t pthread_self(void)
{
    return (pthread_t)(uintptr_t)(crf_self ? crf_self : CRF_THREADS);
}

#undef pthread_equal
int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

/* The place and size of a stack. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    uint32_t number = (uint32_t)(uintptr_t)thread % CRF_THREADS;
    const struct crf_thread *record = &crf_control->thread[number];
    const struct crf_stack *stack = &crf_control->stack[record->stack];

    if (record->state == CRF_FREE)
        return ESRCH;
    pthread_attr_init(attributes);
    pthread_attr_setdetachstate(attributes, record->detached != 0);
    return pthread_attr_setstack(attributes, (char *)stack->bottom + CRF_PAGE,
                                 stack->bytes - CRF_PAGE);
}

#define STACK 2 /* where an attribute's stack ends; 0: none is set */

/* A stack that was not set has no address yet. */
int __wrap_pthread_attr_getstack(const pthread_attr_t *restrict attributes,
                                 void **restrict bottom,
                                 size_t *restrict bytes);
int __wrap_pthread_attr_getstack(const pthread_attr_t *restrict attributes,
                                 void **restrict bottom, size_t *restrict bytes)
{
    unsigned long end = attributes->__u.__s[STACK];

    pthread_attr_getstacksize(attributes, bytes);
    *bottom = end ? (char *)end - *bytes : NULL;
    return 0;
}

long __real_sysconf(int name);
long __wrap_sysconf(int name);

/* Stacks are whole pages. Semaphores have no limit of their own: what waits
 * has room for some thousand objects. */
long __wrap_sysconf(int name)
{
    switch (name) {
    case _SC_THREAD_STACK_MIN:
        return CRF_PAGE;
    case _SC_SEM_NSEMS_MAX:
        return -1;
    default:
        return __real_sysconf(name);
    }
}

/* A thread stays on its core. */
int sched_setaffinity(pid_t task, size_t bytes, const cpu_set_t *set)
{
    (void)task;
    (void)bytes;
    (void)set;
    return 0;
}

int sched_getaffinity(pid_t task, size_t bytes, cpu_set_t *set)
{
    (void)task;
    CPU_ZERO_S(bytes, set);
    for (int rank = 0; rank < crf_all_ranks; rank++)
        CPU_SET_S((size_t)rank, bytes, set);
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set)
{
    (void)thread;
    return sched_setaffinity(0, bytes, set);
}

int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set)
{
    (void)thread;
    return sched_getaffinity(0, bytes, set);
}

/* A core counts the time of its own threads together. */
int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    if (thread != pthread_self())
        return ENOENT;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

/* A new thread has the name of the one that makes it. */
void crf_name_as_mine(uint32_t number)
{
    for (uint32_t n = 0; n < CRF_NAME; n++)
        crf_control->name[number][n] = crf_control->name[crf_self][n];
}

/* A thread without a name of its own has the program's. */
int pthread_setname_np(pthread_t thread, const char *name)
{
    volatile char *kept =
        crf_control->name[(uint32_t)(uintptr_t)thread % CRF_THREADS];

    if (strlen(name) >= CRF_NAME)
        return ERANGE;
    do
        *kept++ = *name;
    while (*name++);
    return 0;
}

int pthread_getname_np(pthread_t thread, char *name, size_t bytes)
{
    volatile char *kept =
        crf_control->name[(uint32_t)(uintptr_t)thread % CRF_THREADS];

    if (bytes < CRF_NAME)
        return ERANGE;
    for (uint32_t n = 0; n < CRF_NAME; n++)
        name[n] = kept[n];
    if (!*name)
        snprintf(name, CRF_NAME, "%s", program_invocation_short_name);
    return 0;
}

/* A mutex whose holder has ended is not given to another one. */
int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    (void)mutex;
    return EINVAL;
}

/* There is no fork. */
int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                   void (*child)(void))
{
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}
