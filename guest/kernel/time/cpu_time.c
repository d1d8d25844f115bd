/* Processor time: all time since the program began but that in which the core
 * waited. A thread's is what passed of the process's while the thread was the
 * one that runs. Only a wait and a change of threads count: a program that
 * computes is not interrupted for the sake of its clocks.
 */
#include "process/cpu_time.h"
#include "drivers/drivers.h"
#include "lib/divide.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "process/process.h"
#include "process/thread.h"

/* Time stamps and their differences. */
static u64 program_began;
static u64 wait_began; /* 0: the core does not wait */
static u64 waited;
static u64 of_children;      /* nanoseconds */
static u64 used_before_turn; /* by all threads, until this one's turn */

static u64 used(void)
{
    return (wait_began ? wait_began : read_tsc()) - program_began - waited;
}

static u64 nanoseconds_of(u64 cycles)
{
    return multiply_divide(cycles, cycle_picoseconds, 1000);
}

/* The program begins, or a copy of its process. */
void cpu_time_start(void)
{
    program_began = read_tsc();
    waited = 0;
    of_children = 0;
    used_before_turn = 0;
    current->used = 0;
}

/* Another thread's turn begins. */
void cpu_time_switch(struct thread *before)
{
    u64 now = used();

    before->used += now - used_before_turn;
    used_before_turn = now;
}

/* Waits for an interrupt. Timers of processor time stand still meanwhile. */
void cpu_wait(void)
{
    bool timed = timer_of_cpu() || posix_timers_of_cpu();
    u64 began = read_tsc();

    wait_began = began;
    if (timed)
        timer_start();
    wait_for_interrupt();
    waited += read_tsc() - began;
    wait_began = 0;
    if (timed)
        timer_start();
}

u64 cpu_waited_nanoseconds(void)
{
    return nanoseconds_of(waited);
}

void cpu_add_child(u64 nanoseconds)
{
    of_children += nanoseconds;
}

u64 cpu_of_children(void)
{
    return of_children;
}

static u64 used_by(const struct thread *thread)
{
    u64 turn = thread == current ? used() - used_before_turn : 0;

    return thread->used + turn;
}

/* What the clock shows; that of a thread that has ended shows 0. */
u64 time_of(s32 whose)
{
    const struct thread *thread;

    if (whose == CPU_OF_NOBODY)
        return clock_nanoseconds();
    if (whose == CPU_OF_PROCESS)
        return nanoseconds_of(used());
    thread = thread_of(whose);
    return thread ? nanoseconds_of(used_by(thread)) : 0;
}

/* When, in real time, that clock comes to `due` if it goes on as it does now.
 */
u64 time_due(s32 whose, u64 due, u64 now)
{
    u64 shown;

    if (whose == CPU_OF_NOBODY || due == NEVER)
        return due;
    if (wait_began || (whose != CPU_OF_PROCESS && whose != current->id))
        return NEVER;
    shown = time_of(whose);
    return due > shown ? now + (due - shown) : now;
}
