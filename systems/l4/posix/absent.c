/*
 * absent.c: what our ordinary kernel does in ring 0 and nothing does here:
 * segments of the program's own, and the performance counters.
 */
#include "abi/abi.h"
#include "devices/devices.h"
#include "drivers/drivers.h"
#include "lib/options.h"
#include "process/trapframe.h"
#include "syscall/syscall.h"
#include "trap/trap.h"

s32 sys_modify_ldt(const u32 *args)
{
    static bool said;

    (void)args;
    if (!said)
        print("l4: core %u: posix: modify_ldt is not available\n",
              options.core);
    said = true;
    return -ENOSYS;
}

s32 msr_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    (void)file;
    (void)buffer;
    (void)count;
    (void)offset;
    return -EIO;
}

s32 msr_write(struct file *file, const void *buffer, u32 count, u64 offset)
{
    return msr_read(file, (void *)buffer, count, offset);
}

/* Selectors are the microkernel's. */
void bad_selector(struct trapframe *frame)
{
    panic_trap(frame);
}
