/*
 * kill.c: signals for one thread: pthread_kill and sigwait. What a thread is
 * sent it takes where it waits, yields or asks for a cancellation; one that
 * computes is interrupted (interrupt.c).
 */
#include "../threads.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MASK_BYTES 8

/* The thread has a signal. */
void crf_tell_signal(int thread)
{
    crf_tell_news(thread % crf_all_ranks);
    crf_interrupt(thread % crf_all_ranks);
}

int pthread_kill(pthread_t thread, int number)
{
    uint32_t which = (uint32_t)(uintptr_t)thread % CRF_THREADS;
    struct crf_thread *record = &crf_control->thread[which];
    struct crf_object *guard;
    int exists;

    if (number < 0 || number >= (int)CRF_SIGNALS)
        return EINVAL;
    crf_release_to(&record->signals);
    guard = crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);
    exists = record->state != CRF_FREE;
    if (exists && number)
        record->signals |= 1u << number;
    crf_object_done(guard);
    if (!exists)
        return ESRCH;
    if (which == crf_self)
        crf_take_signals();
    else if (number)
        crf_tell_signal((int)which);
    return 0;
}

/* Takes those of the set that were sent to the thread here, or to all. */
static uint32_t take(uint32_t set)
{
    struct crf_thread *record = crf_self_record();
    struct crf_object *guard;
    uint32_t found;

    if (!((record->signals | crf_control->signals) & set))
        return 0;
    guard = crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);
    found = (record->signals | crf_control->signals) & set;
    record->signals &= ~found;
    crf_control->signals &= ~found;
    crf_object_done(guard);
    return found;
}

/* By the kernel: the handlers run here. How many. */
int crf_take_signals(void)
{
    uint32_t found;
    int count = 0;

    if (!crf_handlers && !crf_self_record()->signals)
        return 0;
    found = take(~crf_running->mask);
    if (!found)
        return 0;
    crf_acquire_from(&crf_self_record()->signals);
    crf_order_acquire(&crf_control->signals);
    crf_actions_take();
    crf_running->handles++;
    for (uint32_t number = 1; number < CRF_SIGNALS; number++) {
        const struct crf_call call = {.number = SYS_kill, .second = number};

        if (found >> number & 1) {
            crf_kernel_call(&call);
            count++;
        }
    }
    crf_running->handles--;
    crf_running->handled += (uint32_t)count;
    return count;
}

/* One that this core's kernel keeps, blocked. */
static int kept(const sigset_t *set)
{
    static const struct timespec none;

    return (int)syscall(SYS_rt_sigtimedwait_time64, set, NULL, &none,
                        MASK_BYTES);
}

static uint32_t bits(const sigset_t *set)
{
    uint32_t found = 0;

    for (int number = 1; number < (int)CRF_SIGNALS; number++)
        if (sigismember(set, number) > 0)
            found |= 1u << number;
    return found;
}

int sigwait(const sigset_t *restrict set, int *restrict number)
{
    uint32_t wanted = bits(set), found;
    struct crf_object *guard;
    int own;

    crf_release();
    guard = crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);
    crf_self_record()->awaits = wanted; /* under the guard: as in mask.c */
    crf_object_done(guard);
    while (!(found = take(wanted)) && (own = kept(set)) <= 0) {
        pthread_testcancel();
        crf_wait_for_signals(wanted);
    }
    crf_self_record()->awaits = 0;
    *number = found ? __builtin_ctz(found) : own;
    found &= found - 1; /* the others wait on */
    if (found) {
        guard = crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);
        crf_self_record()->signals |= found;
        crf_object_done(guard);
    }
    crf_acquire_from(&crf_self_record()->signals);
    crf_order_acquire(&crf_control->signals);
    return 0;
}
