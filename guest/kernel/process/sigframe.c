/* The frame that a signal handler runs on: the interrupted program's
 * registers, x87 included, in the layout of i386 Linux, and the way back. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "lib/string.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "process/signal.h"
#include "process/trapframe.h"

#define FPU_MAGIC_NO_SSE 0xFFFFu

static void save_registers(struct sigcontext *context,
                           const struct trapframe *frame)
{
    *context = (struct sigcontext){
        .gs = frame->gs,
        .fs = frame->fs,
        .es = frame->es,
        .ds = frame->ds,
        .edi = frame->edi,
        .esi = frame->esi,
        .ebp = frame->ebp,
        .esp = frame->esp,
        .ebx = frame->ebx,
        .edx = frame->edx,
        .ecx = frame->ecx,
        .eax = frame->eax,
        .vector = frame->vector,
        .error = frame->error,
        .eip = frame->eip,
        .cs = frame->cs,
        .eflags = frame->eflags,
        .esp_at_signal = frame->esp,
        .ss = frame->ss,
        .cr2 = fault_address,
    };
}

/* A handler that was given no restorer returns to these instructions on its
 * stack: movl $173, %eax; int $0x80 (rt_sigreturn). */
static const u8 return_code[8] = {0xB8, 173, 0, 0, 0, 0xCD, 0x80, 0x90};

static void save_fpu(struct fpstate *fpu)
{
    /* The x87 is then as reset, which is what a handler should find. */
    x87_save(fpu);
    fpu->status = (u16)fpu->environment[1];
    fpu->magic = FPU_MAGIC_NO_SSE;
}

/* What only a handler of three arguments looks at. Linux gives it to no other
 * either, and nobody would ever read it into a cache: without it a signal
 * writes nothing to memory. */
static void tell_more(struct sigframe *out, const struct siginfo *info)
{
    out->info_pointer = (u32)&out->info;
    out->context_pointer = (u32)&out->context;
    out->info = *info;
    out->context.flags = 0;
    out->context.link = 0;
    out->context.stack = (struct sigstack){.flags = SS_DISABLE};
}

/* Where the frame begins: its second word is at a multiple of 16, and the
 * number lies in one line of the caches with the return address. */
static u32 frame_address(u32 stack_top)
{
    return ((stack_top - sizeof(struct sigframe)) & ~31u) - 20;
}

/* Builds the frame below stack_top and points the registers at the handler;
 * false if there is no memory for it. */
bool sigframe_push(struct trapframe *frame, const struct siginfo *info,
                   const struct sigaction *action, u32 stack_top, u64 mask)
{
    u32 address = frame_address(stack_top);
    struct sigframe *out = (struct sigframe *)address;

    if (!user_writable(address, sizeof(*out)))
        return false;
    out->number = (u32)info->number;
    if (action->flags & SA_SIGINFO)
        tell_more(out, info);
    save_registers(&out->context.context, frame);
    out->context.context.fpstate = (u32)&out->fpu;
    out->context.context.old_mask = (u32)mask;
    out->context.mask[0] = (u32)mask;
    out->context.mask[1] = (u32)(mask >> 32);
    save_fpu(&out->fpu);
    memcpy(out->return_code, return_code, sizeof(return_code));
    out->return_address =
        action->flags & SA_RESTORER ? action->restorer : (u32)out->return_code;
    frame->esp = address;
    frame->eip = action->handler;
    frame->eax = out->number; /* for handlers that take it in a register */
    frame->edx = (u32)&out->info;
    frame->ecx = (u32)&out->context;
    frame->cs = USER_CS;
    frame->ds = frame->es = frame->ss = USER_DS;
    frame->eflags &= ~(FLAG_TRAP | FLAG_DIRECTION);
    return true;
}

/* Takes the registers back from the frame at that address. */
s32 sigframe_pop(struct trapframe *frame, u32 address, u64 *mask)
{
    const struct sigframe *in = (const struct sigframe *)address;
    const struct sigcontext *context = &in->context.context;

    if (!user_readable(address, sizeof(*in)))
        return -EFAULT;
    *mask = (u64)in->context.mask[1] << 32 | in->context.mask[0];
    frame->edi = context->edi;
    frame->esi = context->esi;
    frame->ebp = context->ebp;
    frame->esp = context->esp;
    frame->ebx = context->ebx;
    frame->edx = context->edx;
    frame->ecx = context->ecx;
    frame->eax = context->eax;
    frame->eip = context->eip;
    frame->gs = context->gs & 0xFFFF;
    frame->fs = context->fs & 0xFFFF;
    frame->es = context->es & 0xFFFF;
    frame->ds = context->ds & 0xFFFF;
    /* Selectors that are no good are found on the way out (trap.c). */
    frame->cs = (context->cs & 0xFFFF) | 3;
    frame->ss = (context->ss & 0xFFFF) | 3;
    frame->eflags =
        (frame->eflags & ~FLAG_USER_MASK) | (context->eflags & FLAG_USER_MASK);
    if (context->fpstate == (u32)&in->fpu)
        x87_load(&in->fpu);
    return 0;
}
