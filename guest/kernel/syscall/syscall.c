/* The dispatcher of system calls: the table of syscalls.def. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/options.h"
#include "lib/types.h"
#include "process/thread.h"
#include "process/trapframe.h"
#include "syscall/syscall.h"

struct call {
    const char *name;
    s32 (*handler)(const u32 *args);
    const char *format;
};

static const struct call calls[] = {
#define CALL(number, name, handler, format) \
    [number] = {#name, sys_##handler, format},
#include "syscall/syscalls.def"
#undef CALL
};

static u8 warned[COUNT(calls)];

/* Once per call: a program that tries something else then still works, and
 * its user can see what it tried. */
static void warn_unknown(u32 number, u32 eip)
{
    const char *name = NULL;

    if (number < COUNT(calls)) {
        if (warned[number])
            return;
        warned[number] = 1;
        name = calls[number].name;
    }
    print("rockcreek: core %u: system call %u (%s) is not available, "
          "EIP %08x\n",
          options.core, number, name ? name : "unknown", eip);
}

s32 sys_unavailable(const u32 *args)
{
    (void)args;
    warn_unknown(user_frame->eax, user_frame->eip);
    return -ENOSYS;
}

void syscall(struct trapframe *frame)
{
    u32 number = frame->eax;
    const u32 args[6] = {frame->ebx, frame->ecx, frame->edx,
                         frame->esi, frame->edi, frame->ebp};
    const struct call *call = &calls[number < COUNT(calls) ? number : 0];
    s32 result;

    if (number >= COUNT(calls) || !call->handler) {
        warn_unknown(number, frame->eip);
        frame->eax = (u32)-ENOSYS;
        return;
    }
    if (options.strace)
        strace_call(call->name, call->format, args);
    result = call->handler(args);
    if (result == -ERESTART) {
        current->signals.restarts = true;
        current->signals.call = number;
        result = -EINTR;
    }
    if (options.strace)
        strace_result(result);
    frame->eax = (u32)result;
}
