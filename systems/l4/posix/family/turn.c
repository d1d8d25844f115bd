/*
 * turn.c: one server at a time. A server has its turn but while it waits for a
 * message; so what the processes of a core have in common never changes while
 * another server uses it. All run at one priority.
 */
#include "l4/boot.h"
#include "posix/family/family.h"
#include "posix/posix.h"

static OF_ALL_PROCESSES u32 taken = 1; /* by the first server, from its start */
static u32 told; /* what happened here and the others know */

/* One instruction, which no interrupt divides. */
static bool try_to_take(void)
{
    bool was;

    __asm__ volatile("btsl $0, %0\n\tsetc %1"
                     : "+m"(taken), "=q"(was)
                     :
                     : "memory", "cc");
    return !was;
}

void turn_take(void)
{
    while (!try_to_take())
        l4_do(L4_SLOT_THREAD, L4_THREAD_YIELD, 0, 0, 0);
}

/* A process that waits for a message gets one. */
void turn_tell(u32 number)
{
    l4_do(SLOT_EVENTS + number, L4_IRQ_TRIGGER, 0, 0, 0);
    processes[number].waits = false;
}

void turn_give(bool waits)
{
    for (u32 n = 0; told != thread_told && n < PROCESSES_MAX; n++)
        if (n != self && processes[n].state == LIVES && processes[n].waits)
            turn_tell(n);
    told = thread_told;
    processes[self].waits = waits;
    __asm__ volatile("movl $0, %0" : "=m"(taken) : : "memory");
}
