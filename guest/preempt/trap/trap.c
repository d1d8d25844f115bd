/*
 * trap.c: everything that enters the kernel: system calls, the timer, and
 * exceptions, which are the kernel's own business (a page that is to appear,
 * the x87) or become signals.
 */
#include "kernel.h"

enum {
    NO_COPROCESSOR = 7,
    PAGE_FAULT = 14,
    WRITE = 2, /* in a page fault's error code */
};

/* The signal of each exception. */
static const uint8_t signals[32] = {
    [0] = SIGFPE,   [1] = SIGTRAP,  [3] = SIGTRAP,  [4] = SIGSEGV,
    [5] = SIGSEGV,  [6] = SIGILL,   [11] = SIGSEGV, [12] = SIGSEGV,
    [13] = SIGSEGV, [14] = SIGSEGV, [16] = SIGFPE,  [17] = SIGSEGV,
};

static void exception(struct trapframe *frame)
{
    uint32_t address;

    __asm__ volatile("mov %%cr2, %0" : "=r"(address));
    if (!(frame->cs & 3) || frame->vector >= 32)
        panic("exception in the kernel at", frame->eip);
    if (frame->vector == NO_COPROCESSOR) {
        x87_wanted();
        return;
    }
    if (frame->vector == PAGE_FAULT) {
        if (!space_touch(current, address, frame->error & WRITE))
            return;
        current->fault_address = address;
    }
    if (!signals[frame->vector])
        panic("unexpected exception", frame->vector);
    signal_send(current, signals[frame->vector]);
}

void trap(struct trapframe *frame)
{
    int from_user = frame->cs & 3;

    if (from_user)
        current->frame = frame;
    if (frame->vector == SYSTEM_CALL) {
        frame->eax = (uint32_t)system_call(frame);
    } else if (frame->vector == TIMER_VECTOR) {
        timer_tick();
        if (from_user)
            schedule(); /* the turn is over */
    } else if (frame->vector != SPURIOUS_VECTOR) {
        exception(frame);
    }
    if (from_user)
        signal_deliver(frame);
}
