/*
 * thread.c: threads: the program's on rank 0, others on the cores that wait.
 *
 * pthread_create commits and wakes the next core that has no thread, in turn;
 * the core runs the thread on the stack of its rank. Each core has one thread
 * at a time.
 */
#include "threads.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf worker_loop;
static uint32_t self; /* number of the thread that runs here; 0: main */

enum { FREE, RUNS, ENDED };

struct crf_thread *crf_self_record(void)
{
    return &crf_control->thread[self];
}

static char *stack_top(void)
{
    return CRF_ARENA + (uint32_t)(crf_my_rank + 1) * CRF_STACK;
}

/* Calls function(a, b, c) on the stack of this rank. */
static uint32_t call_on_stack(void *function, uint32_t a, uint32_t b,
                              uint32_t c)
{
    uint32_t result;
    char *top = stack_top() - 64;

    crf_stack_top = stack_top();
    __asm__ volatile("movl %%esp, %%ebx\n\t"
                     "movl %[top], %%esp\n\t"
                     "pushl $0\n\t"
                     "pushl %[c]\n\t"
                     "pushl %[b]\n\t"
                     "pushl %[a]\n\t"
                     "call *%[function]\n\t"
                     "movl %%ebx, %%esp\n\t"
                     : "=a"(result)
                     : [top] "d"(top), [function] "S"(function), [a] "D"(a),
                       [b] "c"(b), [c] "a"(c)
                     : "ebx", "memory", "cc");
    crf_stack_top = NULL;
    return result;
}

int __real_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment);

int __wrap_main(int argc, char **argv, char **environment)
{
    crf_control->thread[0].state = RUNS;
    crf_control->thread[0].rank = 0;
    return (int)call_on_stack((void *)__real_main, (uint32_t)argc,
                              (uint32_t)argv, (uint32_t)environment);
}

/* The guard of all threads' records. */
static struct crf_object *records(void)
{
    return crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);
}

static int is_busy(int rank)
{
    return rank == 0 || crf_control->job[rank] != 0;
}

int crf_idle_cores(void)
{
    int idle = 0;

    for (int rank = 0; rank < crf_all_ranks; rank++)
        idle += !is_busy(rank);
    return idle;
}

/* A core without thread and a free record; nonzero if there is none. */
static int choose(int *rank, uint32_t *number)
{
    int first = (int)crf_control->next_rank;

    for (int n = 0; n < crf_all_ranks; n++) {
        *rank = (first + n) % crf_all_ranks;
        if (!is_busy(*rank))
            break;
    }
    if (is_busy(*rank))
        return 1;
    for (*number = 1; *number < CRF_THREADS; ++*number)
        if (crf_control->thread[*number].state == FREE)
            break;
    if (*number == CRF_THREADS)
        return 1;
    crf_control->next_rank = (uint32_t)(*rank + 1) % (uint32_t)crf_all_ranks;
    return 0;
}

static void say_too_many(void)
{
    static int said;

    if (!said++)
        fprintf(stderr,
                "crf: pthread_create: all %d cores have a thread\n"
                "hint: one thread a core: rck run -n with more cores\n",
                crf_all_ranks);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*start)(void *), void *argument)
{
    struct crf_object *guard;
    struct crf_thread *record;
    uint32_t number;
    int rank, state = PTHREAD_CREATE_JOINABLE;

    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    guard = records();
    if (choose(&rank, &number)) {
        crf_object_done(guard);
        say_too_many();
        return EAGAIN;
    }
    record = &crf_control->thread[number];
    record->state = RUNS;
    record->rank = (uint32_t)rank;
    record->start = (uint32_t)start;
    record->argument = (uint32_t)argument;
    record->joiner = 0;
    record->detached = state == PTHREAD_CREATE_DETACHED;
    crf_control->job[rank] = number;
    crf_object_done(guard);
    *thread = (pthread_t)(uintptr_t)number;
    crf_release();
    crf_wake(rank);
    return 0;
}

static uint32_t run(void *(*start)(void *), void *argument)
{
    pthread_exit(start(argument));
}

static _Noreturn void end_thread(void *result)
{
    struct crf_thread *record = crf_self_record();
    struct crf_object *guard;
    int joiner;

    crf_keys_end();
    fflush(NULL);
    crf_release();
    guard = records();
    record->result = (uint32_t)result;
    record->state = record->detached ? FREE : ENDED;
    joiner = (int)record->joiner - 1;
    if (self != 0) {
        crf_control->wake[crf_my_rank] = 0;
        crf_control->job[crf_my_rank] = 0;
    }
    crf_object_done(guard);
    if (joiner >= 0)
        crf_wake(joiner);
    if (self != 0)
        longjmp(worker_loop, 1);
    crf_wait_for_all();
    exit(0);
}

void pthread_exit(void *result)
{
    end_thread(result);
}

/* The program's thread has ended before the others. */
void crf_wait_for_all(void)
{
    for (int rank = 1; rank < crf_all_ranks; rank++)
        while (crf_control->job[rank])
            crf_sleep_until(__builtin_ia32_rdtsc() + 100000);
}

void crf_work(void)
{
    setjmp(worker_loop);
    crf_stack_top = NULL;
    for (;;) {
        crf_sleep();
        crf_control->wake[crf_my_rank] = 0;
        self = crf_control->job[crf_my_rank];
        if (!self)
            continue;
        crf_acquire();
        crf_thread_local_start();
        call_on_stack((void *)run, crf_self_record()->start,
                      crf_self_record()->argument, 0);
    }
}

pthread_t pthread_self(void)
{
    return (pthread_t)(uintptr_t)(self ? self : CRF_THREADS);
}

#undef pthread_equal
int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

/* The record of a thread that can be joined; null if it is none. */
static struct crf_thread *joinable(pthread_t thread)
{
    uint32_t number = (uint32_t)(uintptr_t)thread % CRF_THREADS;
    struct crf_thread *record = &crf_control->thread[number];

    if ((uint32_t)(uintptr_t)thread > CRF_THREADS || record->state == FREE ||
        record->detached)
        return NULL;
    return record;
}

int pthread_join(pthread_t thread, void **result)
{
    struct crf_object *guard = records();
    struct crf_thread *record = joinable(thread);
    int error = !record ? ESRCH : 0;

    if (record && record == crf_self_record())
        error = EDEADLK;
    else if (record && record->joiner)
        error = EINVAL;
    if (error) {
        crf_object_done(guard);
        return error;
    }
    if (record->state != ENDED) {
        record->joiner = (uint32_t)crf_my_rank + 1;
        crf_control->wake[crf_my_rank] = 0;
        crf_object_done(guard);
        crf_sleep();
        guard = records();
    }
    if (result)
        *result = (void *)record->result;
    record->state = FREE;
    crf_object_done(guard);
    crf_acquire();
    return 0;
}

int pthread_detach(pthread_t thread)
{
    struct crf_object *guard = records();
    struct crf_thread *record = joinable(thread);

    if (record && record->state == ENDED)
        record->state = FREE;
    else if (record)
        record->detached = 1;
    crf_object_done(guard);
    return record ? 0 : ESRCH;
}
