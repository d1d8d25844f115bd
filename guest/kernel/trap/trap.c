/* Exceptions, interrupts and system calls arrive here from vector.S. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "drivers/drivers.h"
#include "lib/options.h"
#include "lib/panic.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "messages/messages.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"
#include "process/trapframe.h"
#include "syscall/syscall.h"
#include "trap/trap.h"

/* Where the program entered the kernel last; null before its start. Tools on
 * the host read it to show where a core's program waits. */
struct trapframe *user_frame;

/* The address of the last page fault that became a signal. CR2 may have changed
 * since: building the signal's frame can touch a page for the first time. */
u32 fault_address;

/* Which of its unmasked errors the x87 reports, as Linux orders them. */
static s32 fpu_code(void)
{
    u16 status;
    u16 control;
    u32 raised;

    x87_words(&status, &control);
    raised = status & ~(u32)control & 0x3F;
    if (raised & 0x01)
        return FPE_FLTINV;
    if (raised & 0x04)
        return FPE_FLTDIV;
    if (raised & 0x08)
        return FPE_FLTOVF;
    if (raised & 0x12)
        return FPE_FLTUND;
    return FPE_FLTRES;
}

struct meaning {
    u8 vector, signal;
    s32 code;
};

static const struct meaning meanings[] = {
    {TRAP_DIVIDE, SIGFPE, FPE_INTDIV},
    {TRAP_DEBUG, SIGTRAP, TRAP_TRACE},
    {TRAP_BREAKPOINT, SIGTRAP, SI_KERNEL},
    {TRAP_UNDEFINED, SIGILL, ILL_ILLOPN},
    {TRAP_NOT_PRESENT, SIGBUS, SI_KERNEL},
    {TRAP_STACK, SIGBUS, SI_KERNEL},
    {TRAP_FPU, SIGFPE, 0},
    {TRAP_ALIGNMENT, SIGBUS, BUS_ADRALN},
};

/* An exception of the program becomes the signal Linux would send. */
void user_exception(struct trapframe *frame)
{
    struct siginfo info = {.number = SIGSEGV, .code = SI_KERNEL};

    for (u32 n = 0; n < COUNT(meanings); n++)
        if (meanings[n].vector == frame->vector) {
            info.number = meanings[n].signal;
            info.code = meanings[n].code;
        }
    if (frame->vector == TRAP_FPU)
        info.code = fpu_code();
    /* Other codes leave the address null. */
    if (info.code != SI_KERNEL && info.code != BUS_ADRALN)
        info.fields[0] = frame->eip;
    signal_fault(&info, frame);
}

/* Promised memory has run out, perhaps in the middle of a system call: the
 * program ends, as Linux would end it. */
static void out_of_memory(u32 address, const struct trapframe *frame)
{
    struct siginfo info = {.number = SIGKILL, .code = SI_KERNEL};

    print("rockcreek: core %u: out of memory: no frame for address %08x, all "
          "%u KB of private memory are in use\n",
          options.core, address, frames_total() * (PAGE_SIZE / 1024));
    info.fields[0] = address;
    if (!from_user(frame))
        frame = user_frame;
    if (!frame)
        panic("no memory to start the program");
    exit_by_signal(&info, frame, TRAP_PAGE);
}

/* A system call has checked memory of the program and waited; another thread
 * has unmapped it meanwhile. */
static bool in_call_on(u32 address)
{
    return address >= USER_START && address < USER_END && user_frame &&
           user_frame->vector == VECTOR_SYSCALL;
}

static void page_fault(struct trapframe *frame)
{
    u32 address = read_cr2();
    s32 result = SEGV_MAPERR;
    struct siginfo info = {.number = SIGSEGV};

    if (address < USER_END)
        result = fault_resolve(address, frame->error & FAULT_WRITE);
    if (result == 0)
        return;
    if (result == -ENOMEM)
        out_of_memory(address, frame);
    if (result == BEHIND_OBJECT) {
        info.number = SIGBUS;
        result = BUS_ADRERR;
    }
    info.code = result;
    info.fields[0] = address;
    if (!from_user(frame)) {
        if (!in_call_on(address))
            panic_trap(frame);
        exit_by_signal(&info, user_frame, ~0u);
    }
    fault_address = address;
    signal_fault(&info, frame);
}

void trap(struct trapframe *frame)
{
    if (from_user(frame))
        user_frame = frame;
    switch (frame->vector) {
    case VECTOR_SYSCALL:
        syscall(frame);
        break;
    case VECTOR_TIMER:
        timer_interrupt();
        break;
    case VECTOR_SPURIOUS:
        break;
    case TRAP_PAGE:
        page_fault(frame);
        break;
    case VECTOR_LINT0:
        mailbox_interrupt();
        thread_event();
        break;
    case VECTOR_LINT1:
        apic_end_of_interrupt();
        break;
    default:
        if (!from_user(frame))
            bad_selector(frame);
        else
            user_exception(frame);
    }
    if (!from_user(frame))
        return;
    if (turn_over)
        thread_yield();
    signal_deliver(frame);
}
