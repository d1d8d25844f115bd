/*
 * trap.c: interrupts, exceptions, and the invocations that go the long way.
 */
#include "kernel/kernel.h"
#include "common/processor.h"

enum {
    NO_COPROCESSOR = 7,
    PAGE_FAULT = 14,
    WRITE = 2, /* in a page fault's error code */
};

static void exception(struct thread *t)
{
    if (t->vector == NO_COPROCESSOR) {
        x87_wanted();
        return;
    }
    t->fault_error = t->error;
    if (t->vector != PAGE_FAULT) {
        fault_send(t, FAULT_EXCEPT);
        return;
    }
    t->fault_address = (read_cr2() & ~(u32)L4_ITEM_WRITE) |
                       (t->error & WRITE ? L4_ITEM_WRITE : 0);
    fault_send(t, FAULT_PAGE);
}

static void interrupt(u32 vector)
{
    if (vector == VECTOR_SPURIOUS)
        return;
    apic_end_of_interrupt();
    if (vector == VECTOR_TIMER)
        timer_interrupt();
    else
        irq_pin(vector - VECTOR_PIN0);
}

/* `frame` is the running thread, or lies on the kernel's stack when the core
 * was idle: then there are no registers to come back to. */
void trap(u32 *frame)
{
    struct thread *t = (struct thread *)frame;
    u32 vector = t->vector;

    if (!(t->cs & 3)) {
        if (vector < VECTOR_TIMER || current)
            give_up("exception in the kernel at", t->eip);
        interrupt(vector);
    } else if (vector >= VECTOR_TIMER && vector <= VECTOR_SPURIOUS) {
        interrupt(vector);
    } else if (vector == L4_VECTOR) {
        invoke(t);
    } else {
        exception(t);
    }
    schedule();
}
