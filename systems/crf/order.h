/*
 * order.h: what comes before what among threads and tasks, announced to
 * `rck run --check races`: a call that returns at once, in some ten cycles.
 *
 * A release is announced before others can know of it, an acquire after this
 * thread knows. Where a call waits without a name here (sleep, yield), nothing
 * is ordered.
 */
#ifndef CRF_ORDER_H
#define CRF_ORDER_H

#include <stdint.h>

#include "crf_control.h"
#include "rck_order.h"

/* The number of a task that may run beside its creator. */
#define CRF_ORDER_TASK(task) (CRF_THREADS + (task))

/* `which`: one of several objects at the address. */
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

/* Nobody takes what was left there before: a new thread's, a new task's. */
static inline void crf_order_release_new(const volatile void *object)
{
    rck_order(RCK_ORDER_RELEASE_NEW, (uint32_t)object, 0);
}

static inline void crf_order_runs(uint32_t number)
{
    rck_order(RCK_ORDER_RUNS, number, 0);
}

static inline void crf_order_begins(uint32_t number)
{
    rck_order(RCK_ORDER_BEGINS, number, 0);
}

/* Memory that nobody has used for what it is now. `caller`: null for stacks. */
static inline void crf_order_fresh(const void *at, uint32_t bytes,
                                   const void *caller)
{
    rck_order(RCK_ORDER_FRESH | RCK_ORDER_DETAIL(bytes), (uint32_t)at,
              (uint32_t)caller);
}

/* Names what a parallel region shares with the function around it. */
static inline void crf_order_shares(uint32_t at, uint32_t number,
                                    const void *function)
{
    rck_order(RCK_ORDER_SHARES | RCK_ORDER_DETAIL(number), at,
              (uint32_t)function);
}

static inline void crf_order_atomic(const void *at, uint32_t bytes, int writes,
                                    const void *caller)
{
    uint32_t detail = bytes | (writes ? RCK_ORDER_WRITES : 0);

    rck_order(RCK_ORDER_ATOMIC | RCK_ORDER_DETAIL(detail), (uint32_t)at,
              (uint32_t)caller);
}

#endif
