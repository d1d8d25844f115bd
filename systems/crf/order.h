/*
 * order.h: announces to `rck run --check races` how threads and tasks are
 * ordered. An announcement is a call that returns at once, in some ten cycles.
 *
 * A release is announced before other threads can notice it, an acquire after
 * this thread has noticed the release. A call that waits without an
 * announcement (sleep, yield) orders nothing.
 */
#ifndef CRF_ORDER_H
#define CRF_ORDER_H

#include <stdint.h>

#include "crf_control.h"
#include "rck_order.h"

/* The number under which a task that may run beside its creator is announced;
 * smaller numbers are those of threads. */
#define CRF_ORDER_TASK(task) (CRF_THREADS + (task))

/* Announce that this thread (or the task announced last) releases, or acquires,
 * an object. `which` distinguishes several objects at one address; 0 in the
 * short forms. */
static inline void crf_order_release_one(const volatile void *object,
                                         uint32_t which)
{
    rck_order(RCK_ORDER_RELEASE, (uint32_t)object, which);
}

static inline void crf_order_acquire_one(const volatile void *object,
                                         uint32_t which)
{
    rck_order(RCK_ORDER_ACQUIRE, (uint32_t)object, which);
}

static inline void crf_order_release(const volatile void *object)
{
    crf_order_release_one(object, 0);
}

static inline void crf_order_acquire(const volatile void *object)
{
    crf_order_acquire_one(object, 0);
}

/* Announces the release of a new object: releases of earlier objects at its
 * address no longer count. */
static inline void crf_order_release_new(const volatile void *object)
{
    rck_order(RCK_ORDER_RELEASE_NEW, (uint32_t)object, 0);
}

/* Announces that from now on this core runs thread or task `number`. */
static inline void crf_order_runs(uint32_t number)
{
    rck_order(RCK_ORDER_RUNS, number, 0);
}

/* Announces that number `number` now stands for a new thread or task. */
static inline void crf_order_begins(uint32_t number)
{
    rck_order(RCK_ORDER_BEGINS, number, 0);
}

/* Announces that `bytes` bytes of memory at `at` have been allocated anew, so
 * that accesses before count no more. `caller`: the program's call site; null
 * for a thread's stack. */
static inline void crf_order_fresh(const void *at, uint32_t bytes,
                                   const void *caller)
{
    rck_order(RCK_ORDER_FRESH | RCK_ORDER_DETAIL(bytes), (uint32_t)at,
              (uint32_t)caller);
}

/* Announces that argument `number` of a parallel region's function points to
 * address `at`, so that findings can name it. */
static inline void crf_order_shares(uint32_t at, uint32_t number,
                                    const void *function)
{
    rck_order(RCK_ORDER_SHARES | RCK_ORDER_DETAIL(number), at,
              (uint32_t)function);
}

/* Announces an atomic operation of the program on `bytes` bytes, called from
 * `caller`; `writes`: false if it only reads. */
static inline void crf_order_atomic(const void *at, uint32_t bytes, int writes,
                                    const void *caller)
{
    uint32_t detail = bytes | (writes ? RCK_ORDER_WRITES : 0);

    rck_order(RCK_ORDER_ATOMIC | RCK_ORDER_DETAIL(detail), (uint32_t)at,
              (uint32_t)caller);
}

#endif
