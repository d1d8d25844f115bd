/*
 * signal.c: signals reach a process on its way back to ring 3.
 *
 * A handler runs on the process's own stack, above a frame with the
 * registers as they were; it returns to the restorer, which asks the kernel
 * to go on with them. A handler may change them first.
 */
#include "kernel.h"

/* EFLAGS that a program may set: the arithmetic flags, TF, DF, AC, ID. */
#define USER_FLAGS 0x240DD5

void signal_send(struct process *process, int number)
{
    if (process->state == FREE || process->state == ZOMBIE)
        return;
    process->pending |= 1u << number;
    if (process->state == WAITING)
        process->state = READY; /* its wait is interrupted */
}

static int call_handler(struct trapframe *frame, int number)
{
    struct signal_frame *signal;

    signal = (struct signal_frame *)(frame->esp & ~15u) - 1;
    if (user_range((uint32_t)signal, sizeof *signal, 1))
        return BAD_ADDRESS;
    signal->restorer = current->restorer;
    signal->number = (unsigned)number;
    signal->address = current->fault_address;
    signal->registers = (struct signal_registers){
        frame->edi, frame->esi, frame->ebp, frame->ebx,    frame->edx,
        frame->ecx, frame->eax, frame->eip, frame->eflags, frame->esp};
    frame->esp = (uint32_t)signal;
    frame->eip = current->handler[number];
    frame->eflags &= ~0x500u; /* TF and DF */
    return 0;
}

/* Before the return to ring 3. */
void signal_deliver(struct trapframe *frame)
{
    int number;

    for (number = 1; number < SIGNALS; number++) {
        if (!(current->pending >> number & 1))
            continue;
        current->pending &= ~(1u << number);
        if (!current->handler[number])
            process_exit(128 + number);
        if (call_handler(frame, number))
            process_exit(128 + SIGSEGV);
    }
}

/* From the restorer: what the handler returned to has been popped. */
int signal_return(struct trapframe *frame)
{
    uint32_t at = frame->esp - sizeof(uint32_t);
    const struct signal_frame *signal = (const void *)at;
    const struct signal_registers *old = &signal->registers;

    if (user_range(at, sizeof *signal, 0))
        process_exit(128 + SIGSEGV);
    frame->edi = old->edi;
    frame->esi = old->esi;
    frame->ebp = old->ebp;
    frame->ebx = old->ebx;
    frame->edx = old->edx;
    frame->ecx = old->ecx;
    frame->eip = old->eip;
    frame->esp = old->esp;
    frame->eflags =
        (frame->eflags & ~(uint32_t)USER_FLAGS) | (old->eflags & USER_FLAGS);
    return (int)old->eax;
}
