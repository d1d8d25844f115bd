/*
 * order.c: which commits come before what a thread does, for race.c.
 *
 * Commits are numbered: each core has an epoch, which ends when it has
 * committed what it changed. Each thread knows of every core the last epoch that
 * comes before it. Who lets go of an
 * object leaves there what it knows, who takes it knows that as well. What is
 * not named here (semaphores, tasks, atomic operations) acquires all that was
 * committed: then some races are not seen, and none that is not there.
 *
 * All lies off-die, under one guard. Objects share places by their address and
 * threads by their number: again fewer races are seen.
 */
#include "../models/model.h"
#include "pages.h"

static struct crf_orders *orders(void)
{
    return &crf_control->orders;
}

static volatile uint32_t *known_by(uint32_t thread)
{
    return orders()->known[thread % CRF_ORDER_THREADS];
}

static volatile uint32_t *left_at(const void *object)
{
    uint32_t key = (uint32_t)object;

    return orders()->left[(key >> 2 ^ key >> 12) % CRF_ORDER_OBJECTS];
}

static void take_in(volatile uint32_t *to, const volatile uint32_t *from)
{
    for (int core = 0; core < crf_all_ranks; core++)
        if (from[core] > to[core])
            to[core] = from[core];
}

/* What other threads of this core have not committed themselves comes with
 * another one's commit: then all that any of them knows counts. */
static int is_mixed, is_quiet;

void crf_order_quiet(void)
{
    is_quiet = 1;
}

void crf_order_switch(void)
{
    if (!is_quiet || crf_handlers)
        is_mixed = 1;
    is_quiet = 0;
}

void crf_order_committed(void)
{
    is_mixed = 0;
    if (crf_looks_for_races)
        orders()->epoch[crf_my_rank]++;
}

void crf_order_release(const void *object)
{
    volatile uint32_t *known;

    if (!crf_looks_for_races)
        return;
    known = known_by(crf_self);
    crf_guard(0);
    known[crf_my_rank] = orders()->epoch[crf_my_rank] - 1;
    take_in(left_at(object), known);
    crf_unguard(0);
}

void crf_order_acquire(const void *object)
{
    if (!crf_looks_for_races)
        return;
    crf_guard(0);
    take_in(known_by(crf_self), left_at(object));
    crf_unguard(0);
}

void crf_order_acquire_all(void)
{
    volatile uint32_t *known = known_by(crf_self);

    if (!crf_looks_for_races)
        return;
    for (int core = 0; core < crf_all_ranks; core++) {
        uint32_t ended = orders()->epoch[core] - 1;

        if (ended > known[core])
            known[core] = ended;
    }
}

/* A thread is about to begin: it knows what this one does, and if it has a
 * place of its own nothing else. */
void crf_order_create(uint32_t thread)
{
    volatile uint32_t *its = known_by(thread), *known = known_by(crf_self);

    if (!crf_looks_for_races)
        return;
    crf_guard(0);
    known[crf_my_rank] = orders()->epoch[crf_my_rank] - 1;
    if (crf_control->last_thread < CRF_ORDER_THREADS)
        for (int core = 0; core < crf_all_ranks; core++)
            its[core] = 0;
    take_in(its, known);
    crf_unguard(0);
}

uint32_t crf_order_epoch(void)
{
    return orders()->epoch[crf_my_rank];
}

/* Whether a commit comes before what is committed here. Memory that is used
 * again (the heap, stacks but main's) has been another thread's of this core. */
int crf_order_is_before(uint32_t word, uint32_t rank, uint32_t epoch)
{
    uint32_t reused = (uint32_t)CRF_ARENA + CRF_MAIN_STACK;

    if (!is_mixed && word < reused)
        return epoch <= known_by(crf_self)[rank];
    for (uint32_t thread = (uint32_t)crf_my_rank; thread < CRF_THREADS;
         thread += (uint32_t)crf_all_ranks) {
        if (thread > crf_control->last_thread)
            break;
        if (epoch <= known_by(thread)[rank])
            return 1;
    }
    return 0;
}
