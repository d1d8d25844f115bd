/*
 * thread.c: threads: create, join, exit.
 *
 * pthread_create commits and notifies the core with the fewest threads, in turn,
 * that there is a new one; the core starts it when its others wait (turn.c).
 */
#include "../../crf/pages/pages.h"
#include "../threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    int count;
    char **words, **environment;
} arguments; /* of main */

struct crf_thread *crf_self_record(void)
{
    return &crf_control->thread[crf_self];
}

/* Something is new for a core: any number that it has not seen. */
void crf_tell_news(int rank)
{
    crf_control->news[rank]++;
    if (crf_control->asleep[rank])
        (void)crf_mail(rank);
}

/* The program's thread is that of number 0. */
int __wrap_main(int argc, char **argv, char **environment);
int __wrap_main(int argc, char **argv, char **environment)
{
    arguments.count = argc;
    arguments.words = argv;
    arguments.environment = environment;
    crf_control->thread[0].state = CRF_NEW;
    crf_control->threads_on[0] = 1;
    crf_tell_news(0);
    crf_work();
}

/* The guard of all threads' records. */
static struct crf_object *records(void)
{
    return crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);
}

static int least_busy_core(void)
{
    int first = (int)crf_control->next_rank, best = -1;
    uint32_t fewest = 0;

    for (int n = 0; n < crf_all_ranks && (best < 0 || fewest); n++) {
        int rank = (first + n) % crf_all_ranks;
        uint32_t here = crf_control->threads_on[rank];

        if (best < 0 || here < fewest) {
            best = rank;
            fewest = here;
        }
    }
    return best;
}

/* A free record of a core; 0: there is none. */
static uint32_t free_record(int rank)
{
    uint32_t number = (uint32_t)rank;

    if (number == 0)
        number = (uint32_t)crf_all_ranks;
    while (number < CRF_THREADS &&
           crf_control->thread[number].state != CRF_FREE)
        number += (uint32_t)crf_all_ranks;
    return number < CRF_THREADS ? number : 0;
}

static void say_too_many(const char *what)
{
    static int said;

    if (!said++)
        fprintf(stderr,
                "crf: pthread_create: no %s for another thread\n"
                "hint: join or detach threads that have ended; rck run -n with "
                "more cores\n",
                what);
}

/* A record with a stack; 0: there is no room. */
static uint32_t new_record(size_t stack)
{
    int rank = least_busy_core();
    uint32_t number = free_record(rank), place;

    if (!number || !crf_stack_take(rank, stack, &place)) {
        say_too_many(number ? "stack" : "record");
        return 0;
    }
    crf_control->thread[number].stack = place;
    crf_control->next_rank = (uint32_t)(rank + 1) % (uint32_t)crf_all_ranks;
    crf_control->threads_on[rank]++;
    return number;
}

static void give_back(uint32_t number)
{
    crf_control->stack[crf_control->thread[number].stack].taken = 0;
    crf_control->threads_on[number % (uint32_t)crf_all_ranks]--;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*start)(void *), void *argument)
{
    struct crf_object *guard;
    struct crf_thread *record;
    size_t stack = 0, least = CRF_LEAST_STACK - CRF_PAGE;
    uint32_t number;
    int state = PTHREAD_CREATE_JOINABLE, error;

    if (attributes) {
        pthread_attr_getdetachstate(attributes, &state);
        pthread_attr_getstacksize(attributes, &stack);
    }
    guard = records();
    number = new_record(stack > least ? stack : least);
    if (!number) {
        crf_object_done(guard);
        return crf_error(EAGAIN);
    }
    error = crf_policy_begin(number, attributes);
    if (error) {
        give_back(number);
        crf_object_done(guard);
        return crf_error(error);
    }
    record = &crf_control->thread[number];
    record->start = (uint32_t)start;
    record->argument = (uint32_t)argument;
    record->joiner = record->cancelled = record->signals = 0;
    record->mask = crf_running->mask;
    record->awaits = 0;
    crf_name_as_mine(number);
    if (number > crf_control->last_thread)
        crf_control->last_thread = number;
    record->detached = state == PTHREAD_CREATE_DETACHED;
    record->state = CRF_MADE;
    crf_object_done(guard);
    *thread = (pthread_t)(uintptr_t)number;
    crf_release();
    crf_order_release_new(&record->start);
    record->state = CRF_NEW;
    crf_tell_news((int)number % crf_all_ranks);
    return 0;
}

int __real_main(int argc, char **argv, char **environment);

static _Noreturn void run_main(void)
{
    int code =
        __real_main(arguments.count, arguments.words, arguments.environment);

    crf_find_not_joined();
    exit(code);
}

void crf_begin(void)
{
    struct crf_thread *record = crf_self_record();

    crf_arrived();
    crf_order_begins(crf_self);
    crf_order_fresh(crf_running->bottom,
                    (uint32_t)(crf_running->top - crf_running->bottom), NULL);
    crf_acquire_from(&record->start); /* it knows what its creator did */
    if (crf_self == 0)
        run_main();
    pthread_exit(((void *(*)(void *))record->start)((void *)record->argument));
}

/* The program's thread has ended before the others. */
static _Noreturn void end_with_the_last(void)
{
    for (int rank = 0; rank < crf_all_ranks; rank++)
        while (crf_control->threads_on[rank])
            crf_rest(1000000);
    exit(0);
}

void pthread_exit(void *result)
{
    struct crf_thread *record = crf_self_record();
    struct crf_object *guard;
    int joiner;

    crf_clean_up();
    crf_keys_end();
    crf_release();
    crf_order_release_new(record);
    guard = records();
    record->result = (uint32_t)result;
    record->state = record->detached ? CRF_FREE : CRF_ENDED;
    joiner = (int)record->joiner - 1;
    crf_control->threads_on[crf_my_rank]--;
    crf_object_done(guard);
    if (joiner >= 0)
        crf_wake(joiner);
    if (crf_self == 0)
        end_with_the_last();
    crf_turn_end();
}

/* The record of a thread, and why it cannot be joined or detached. */
static int joinable(pthread_t thread, struct crf_thread **record)
{
    uint32_t number = (uint32_t)(uintptr_t)thread;

    *record = &crf_control->thread[number % CRF_THREADS];
    if (number > CRF_THREADS)
        return ESRCH;
    if ((*record)->detached) /* also when it has ended */
        return EINVAL;
    return (*record)->state == CRF_FREE ? ESRCH : 0;
}

/* Waits for the thread until a time stamp; 0: without limit, 1: not at all. */
static int join(pthread_t thread, void **result, uint64_t until)
{
    struct crf_object *guard = records();
    struct crf_thread *record;
    int error = joinable(thread, &record);

    if (!error && record == crf_self_record())
        error = EDEADLK;
    else if (!error && record->joiner)
        error = EINVAL;
    if (error) {
        crf_object_done(guard);
        return error;
    }
    if (record->state != CRF_ENDED) {
        crf_self_record()->wake = 0;
        record->joiner = crf_self + 1;
        crf_object_done(guard);
        crf_sleep_until(until);
        guard = records();
    }
    if (record->state != CRF_ENDED) {
        record->joiner = 0;
        crf_object_done(guard);
        if (until != 1)
            pthread_testcancel();
        return ETIMEDOUT;
    }
    if (result)
        *result = (void *)record->result;
    record->state = CRF_FREE;
    crf_object_done(guard);
    crf_acquire_from(record);
    return 0;
}

int pthread_join(pthread_t thread, void **result)
{
    crf_release();
    return crf_error(join(thread, result, 0));
}

int pthread_timedjoin_np(pthread_t thread, void **result,
                         const struct timespec *time)
{
    crf_release();
    return join(thread, result, time ? crf_time_stamp(time) : 0);
}

int pthread_tryjoin_np(pthread_t thread, void **result)
{
    int error = join(thread, result, 1);

    return error == ETIMEDOUT ? EBUSY : error;
}

int pthread_detach(pthread_t thread)
{
    struct crf_object *guard = records();
    struct crf_thread *record;
    int error = joinable(thread, &record);

    if (!error && record->state == CRF_ENDED)
        record->state = CRF_FREE;
    else if (!error)
        record->detached = 1;
    crf_object_done(guard);
    return crf_error(error);
}
