/*
 * turn.c: the threads of this core, in turn. One runs until it waits or
 * yields; each has a stack of its own. A core without a thread is on the stack
 * that the kernel gave it.
 */
#include "../../crf/pages/pages.h"
#include "../threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scc/stack.h"

uint32_t crf_self;
struct crf_turn *crf_turns, *crf_running;
int crf_ranked;

static void *idle_stack_pointer;
static struct crf_turn *ended; /* its stack was left a moment ago */
static uint32_t news_seen;

static struct crf_thread *record(const struct crf_turn *turn)
{
    return &crf_control->thread[turn->number];
}

/* Private memory: a turn and, behind it, what another thread's variables
 * would overwrite. */
static struct crf_turn *new_turn(uint32_t number)
{
    size_t bytes = sizeof(struct crf_turn) + crf_local_bytes();
    uint32_t place = crf_control->thread[number].stack;
    const struct crf_stack *stack = &crf_control->stack[place];
    uint32_t *top;
    struct crf_turn *turn = crf_private_memory(bytes);

    turn->number = number;
    turn->mask = crf_control->thread[number].mask;
    turn->stack = place;
    turn->order = number;
    turn->local = (char *)(turn + 1);
    turn->bottom = (char *)stack->bottom + CRF_PAGE;
    turn->top = (char *)stack->bottom + stack->bytes;
    /* What scc_switch takes: four registers and where to go on; then a frame
     * that looks as if nobody had called. */
    top = (uint32_t *)(void *)(turn->top - 64);
    top[4] = (uint32_t)crf_begin;
    turn->stack_pointer = (char *)top;
    if (number == 0)
        crf_local_save(turn->local); /* constructors have run */
    else
        crf_local_begin(turn->local);
    return turn;
}

/* Last in the ring. */
static void add(struct crf_turn *turn)
{
    struct crf_turn *at = crf_turns;

    if (!at) {
        crf_turns = turn->next = turn;
        return;
    }
    while (at->next != crf_turns)
        at = at->next;
    turn->next = crf_turns;
    at->next = turn;
}

static void take_out(struct crf_turn *turn)
{
    struct crf_turn *before = turn;

    while (before->next != turn)
        before = before->next;
    before->next = turn->next;
    if (crf_turns == turn)
        crf_turns = turn == turn->next ? NULL : turn->next;
}

/* Threads that others have made for this core. */
static void take_arrivals(void)
{
    crf_acquire(); /* in no thread's order */
    crf_actions_take();
    for (uint32_t n = (uint32_t)crf_my_rank; n < CRF_THREADS;
         n += (uint32_t)crf_all_ranks)
        if (crf_control->thread[n].state == CRF_NEW) {
            crf_control->thread[n].state = CRF_RUNS;
            crf_open_stack(&crf_control->stack[crf_control->thread[n].stack]);
            add(new_turn(n));
        }
    if (crf_control->ranked)
        crf_priorities_take();
}

/* Any other number than the last one: there is something new. */
void crf_look_for_news(void)
{
    uint32_t now = crf_control->news[crf_my_rank];

    if (now == news_seen)
        return;
    news_seen = now;
    if (crf_control->ending) {
        crf_acquire();
        fflush(NULL); /* files that a thread has opened here and left open */
        _exit(0);
    }
    if (crf_my_rank == 0 && crf_control->exit_asked)
        crf_exit_asked();
    take_arrivals();
}

static int can_go_on(const struct crf_turn *turn)
{
    return !turn->waits || record(turn)->wake ||
           (turn->until && __builtin_ia32_rdtsc() >= turn->until) ||
           (turn->cancellable && record(turn)->cancelled) ||
           (turn->signals && turn->signals & record(turn)->signals) ||
           (turn->signals && turn->interrupted) ||
           (crf_handlers && ~turn->mask & record(turn)->signals);
}

/* The next one of this core of the highest priority, the one that runs last;
 * null: all wait. */
static struct crf_turn *next_one(void)
{
    struct crf_turn *first = crf_running ? crf_running->next : crf_turns;
    struct crf_turn *at = first, *best = NULL;

    if (!at)
        return NULL;
    do {
        if ((!best || at->priority > best->priority) && can_go_on(at))
            best = at;
        at = at->next;
    } while (at != first && (crf_ranked || !best));
    return best;
}

struct crf_turn *crf_look(void)
{
    crf_look_for_news();
    return next_one();
}

void crf_arrived(void)
{
    if (!ended)
        return;
    crf_control->stack[ended->stack].taken = 0;
    munmap(ended, sizeof *ended + crf_local_bytes());
    ended = NULL;
}

static void switch_to(struct crf_turn *turn)
{
    struct crf_turn *from = crf_running;

    if (turn == from)
        return;
    if (from) {
        from->error = errno;
        crf_local_save(from->local);
    }
    crf_running = turn;
    if (turn) {
        crf_self = turn->number;
        crf_order_runs(turn->order);
        crf_local_load(turn->local);
        errno = turn->error;
        crf_mask_load(turn->mask);
    }
    scc_switch(from ? &from->stack_pointer : &idle_stack_pointer,
               turn ? turn->stack_pointer : idle_stack_pointer);
    crf_arrived();
}

static void begin_to_wait(struct crf_turn *turn, uint64_t until,
                          int cancellable, uint32_t signals)
{
    turn->waits = 1;
    turn->until = until;
    turn->cancellable = cancellable;
    turn->signals = signals;
}

/* A handler may run, and wait itself: then this goes on to wait, also if the
 * next signal is there already. */
void crf_wait(uint64_t until)
{
    struct crf_turn *self = crf_running;
    int cancellable = self->cancellable, handled;
    uint32_t signals = self->signals;

    begin_to_wait(self, until, cancellable, signals);
    do {
        switch_to(crf_await_one());
        handled = !signals && crf_take_signals();
        if (handled) /* what the handlers wrote is to be seen as well */
            crf_release();
        begin_to_wait(self, until, cancellable, signals);
    } while (handled);
    self->waits = 0;
    self->until = 0;
}

void crf_wait_for_signals(uint32_t set)
{
    crf_control->thread[crf_self].wake = 0;
    crf_running->signals = set;
    crf_running->interrupted = 0;
    crf_running->cancellable = 1;
    crf_wait(0);
    crf_running->cancellable = 0;
    crf_running->signals = 0;
}

int crf_is_alone(void)
{
    return crf_running && crf_running->next == crf_running;
}

void crf_yield(void)
{
    static uint32_t turns;

    /* Whether there are others: an uncached read. */
    if (!crf_running || (crf_is_alone() && ++turns % 16))
        return;
    crf_look_for_news();
    switch_to(next_one());
}

void crf_turn_end(void)
{
    struct crf_turn *self = crf_running;

    take_out(self);
    ended = self;
    crf_running = NULL;
    scc_switch(&self->stack_pointer, idle_stack_pointer);
    __builtin_unreachable();
}

/* A core's own stack: threads begin and end here. */
void crf_work(void)
{
    for (;;) {
        crf_running = NULL;
        crf_arrived();
        switch_to(crf_await_one());
    }
}
