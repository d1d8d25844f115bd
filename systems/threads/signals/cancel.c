/*
 * cancel.c: cancellation, at the points where a thread waits or asks, and in
 * its own code if it may be at any time; what is done at a thread's end.
 */
#include "../threads.h"

#include <errno.h>

static _Thread_local struct __ptcb *handlers; /* the innermost one */
static _Thread_local int disabled, asynchronous;

void _pthread_cleanup_push(struct __ptcb *handler, void (*call)(void *),
                           void *argument)
{
    handler->__f = call;
    handler->__x = argument;
    handler->__next = handlers;
    handlers = handler;
}

void _pthread_cleanup_pop(struct __ptcb *handler, int run)
{
    handlers = handler->__next;
    if (run)
        handler->__f(handler->__x);
}

void crf_clean_up(void)
{
    if (crf_self_record()->cancelled)
        crf_acquire(); /* what who cancels has written before */
    disabled = 1;
    while (handlers)
        _pthread_cleanup_pop(handlers, 1);
}

/* Where it computes, or waits for a lock. */
int crf_cancellable_anywhere(void)
{
    return asynchronous && !disabled;
}

int crf_cancel_now(void)
{
    return crf_cancellable_anywhere() && crf_self_record()->cancelled;
}

int crf_cancellable(void)
{
    return !disabled;
}

void pthread_testcancel(void)
{
    crf_take_signals();
    if (!disabled && crf_self_record()->cancelled)
        pthread_exit(PTHREAD_CANCELED);
}

int pthread_cancel(pthread_t thread)
{
    uint32_t number = (uint32_t)(uintptr_t)thread % CRF_THREADS;
    struct crf_thread *record = &crf_control->thread[number];
    int rank = (int)number % crf_all_ranks;

    if (record->state == CRF_FREE)
        return ESRCH;
    crf_release();
    record->cancelled = 1;
    if (crf_control->asleep[rank])
        (void)crf_mail(rank);
    crf_interrupt(rank);
    if (number == crf_self && asynchronous)
        pthread_testcancel();
    return 0;
}

int pthread_setcancelstate(int new, int *old)
{
    if (new != PTHREAD_CANCEL_ENABLE && new != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old)
        *old = disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    disabled = new == PTHREAD_CANCEL_DISABLE;
    return 0;
}

int pthread_setcanceltype(int new, int *old)
{
    if (new != PTHREAD_CANCEL_DEFERRED && new != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (old)
        *old = asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS
                            : PTHREAD_CANCEL_DEFERRED;
    asynchronous = new == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (asynchronous) {
        crf_interrupts_start();
        pthread_testcancel();
    }
    return 0;
}
