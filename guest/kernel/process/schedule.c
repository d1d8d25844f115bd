/* Which thread runs.
 *
 * Inside the kernel a thread keeps the core until it waits. In the program it
 * runs until it waits, until its turn ends while others are ready, or until an
 * interrupt makes a thread ready that waited for it. Turns share one period,
 * so that nobody who is ready waits for longer than the period.
 */
#include "drivers/drivers.h"
#include "lib/divide.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/thread.h"
#include "process/trapframe.h"

#define PERIOD 100000000u      /* nanoseconds: all who are ready run once */
#define SHORTEST_TURN 1000000u /* a switch costs some thousand cycles */
#define LONGEST_TURN 10000000u

extern char kernel_stack_top[];

static struct thread first = {
    .stack_top = (u32)kernel_stack_top,
    .state = THREAD_RUNNING,
    .wake_time = NEVER,
    .signals.alternate.flags = SS_DISABLE,
};
struct thread *current = &first;
struct thread *threads = &first;
bool threading;
bool turn_over;
u64 turn_end = NEVER;
u32 thread_events, thread_told;

static struct thread *queue_head, *queue_tail;
static u32 queue_length;
static u32 waits;

static void begin_turn(void)
{
    u32 turn = LONGEST_TURN;

    turn_end = NEVER;
    if (!queue_length)
        return;
    if (queue_length >= PERIOD / LONGEST_TURN)
        turn = PERIOD / (queue_length + 1);
    if (turn < SHORTEST_TURN)
        turn = SHORTEST_TURN;
    turn_end = clock_nanoseconds() + turn;
}

static void append(struct thread *thread)
{
    thread->state = THREAD_READY;
    thread->next = NULL;
    if (queue_tail)
        queue_tail->next = thread;
    else
        queue_head = thread;
    queue_tail = thread;
    queue_length++;
}

static void prepend(struct thread *thread)
{
    thread->state = THREAD_READY;
    thread->next = queue_head;
    queue_head = thread;
    if (!queue_tail)
        queue_tail = thread;
    queue_length++;
}

static struct thread *take_first(void)
{
    struct thread *thread = queue_head;

    if (!thread)
        return NULL;
    queue_head = thread->next;
    if (!queue_head)
        queue_tail = NULL;
    queue_length--;
    return thread;
}

/* While a thread is ready, the turn of the one that runs is finite. */
static void limit_turn(void)
{
    if (turn_end != NEVER || current->state != THREAD_RUNNING)
        return;
    begin_turn();
    timer_start();
}

void thread_add(struct thread *thread)
{
    threading = true;
    thread->older = threads;
    threads = thread;
    append(thread);
    limit_turn();
}

/* The thread's wait is over. */
void thread_wake(struct thread *thread)
{
    if (thread->state != THREAD_WAITING)
        return;
    append(thread);
    limit_turn();
}

/* An interrupt ended the wait: the thread runs before those that compute. */
static void wake_first(struct thread *thread)
{
    prepend(thread);
    turn_over = true;
}

/* Something happened, perhaps outside: those who wait for any event look
 * whether it is what they wait for. */
void thread_look(void)
{
    thread_events++;
    if (!threading)
        return;
    for (struct thread *t = threads; t; t = t->older)
        if (t->state == THREAD_WAITING && t->waits_for == WAIT_ANY)
            wake_first(t);
}

/* Something happened in this process. */
void thread_event(void)
{
    thread_told++;
    thread_look();
}

/* The time of some who wait may have come, and the end of a turn. */
void thread_due(u64 now)
{
    for (struct thread *t = threads; t; t = t->older)
        if (t->state == THREAD_WAITING && t->wake_time <= now)
            wake_first(t);
    if (turn_end <= now) {
        turn_over = true;
        turn_end = NEVER;
    }
}

/* When the timer must interrupt next for the sake of threads. */
u64 threads_next_time(void)
{
    u64 next = turn_end;

    for (struct thread *t = threads; t; t = t->older)
        if (t->state == THREAD_WAITING && t->wake_time < next)
            next = t->wake_time;
    return next;
}

static void switch_to(struct thread *thread)
{
    struct thread *before = current;

    thread->state = THREAD_RUNNING;
    if (thread == before) {
        timer_start();
        return;
    }
    cpu_time_switch(before);
    before->frame = user_frame;
    before->fault_address = fault_address;
    segments_save(before->tls);
    x87_save(&before->fpu);
    current = thread;
    timer_start();
    user_frame = thread->frame;
    fault_address = thread->fault_address;
    segments_load(thread->tls, thread->stack_top);
    x87_load(&thread->fpu);
    stack_switch(&before->stack_pointer, thread->stack_pointer);
}

/* Gives the core to the next thread; sleeps until there is one. */
static void run_next(void)
{
    struct thread *next;

    while (!(next = take_first())) {
        turn_end = NEVER;
        timer_start();
        cpu_wait();
        thread_look();
        thread_due(clock_nanoseconds());
    }
    turn_over = false;
    begin_turn();
    switch_to(next);
}

/* Until `what` or the instant, or a signal that the thread does not block. */
void thread_wait(u32 what, u64 until)
{
    current->state = THREAD_WAITING;
    current->waits_for = what;
    current->wake_time = until;
    current->wait_number = waits++;
    current->woken = false;
    run_next();
    current->wake_time = NEVER;
}

/* Threads that are ready run before the caller does. */
void thread_yield(void)
{
    turn_over = false;
    if (!queue_length)
        return;
    append(current);
    run_next();
}

static void forget(const struct thread *thread)
{
    struct thread **link = &threads;

    while (*link != thread)
        link = &(*link)->older;
    *link = thread->older;
}

/* The thread that runs is no more. Its stack is in use until the next one
 * runs, and nobody takes it before. */
void thread_leave(void)
{
    forget(current);
    current->state = THREAD_WAITING;
    run_next();
    __builtin_unreachable();
}

/* No thread but the one that runs. */
void thread_alone(void)
{
    threads = current;
    current->older = NULL;
    queue_head = queue_tail = NULL;
    queue_length = 0;
    turn_end = NEVER;
}

/* The thread that runs goes on as the first one, the only one. */
void thread_become_first(void)
{
    if (current != &first) {
        first = *current;
        first.stack_top = (u32)kernel_stack_top;
        current = &first;
    }
    thread_alone();
}

/* A device that interrupts has something, or a signal came. */
void wait_for_event(void)
{
    if (threading)
        thread_wait(WAIT_ANY, NEVER);
    else
        cpu_wait();
}
