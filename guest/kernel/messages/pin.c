/* /dev/rckirq: a program waits for the interrupts of other cores.
 *
 * Another core interrupts this one by setting the INTR bit of its GLCFG, the
 * pin LINT0 [partheymueller-2011]. Opening the device lets LINT0 in. A read
 * waits until there is an interrupt that no read has returned; it gives how
 * many there have been since the last read (4 bytes) and, if there is room,
 * the time stamp at which the kernel took the last one (8 bytes more).
 * Several interrupts before the kernel has taken the first are one.
 */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "drivers/drivers.h"
#include "lib/string.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "messages/messages.h"
#include "open_files/file.h"
#include "process/signal.h"
#include "process/thread.h"
#include "scc/registers.h"

struct __attribute__((packed)) report {
    u32 count;
    u64 time_stamp;
};

static u32 pin_register; /* this core's GLCFG; 0: nobody has opened it */
static struct report untold;

static void pin_down(void)
{
    u32 pins = read_register(pin_register);

    write_register(pin_register, pins & ~(u32)SCC_CRB_GLCFG_INTR);
}

void pin_interrupt(void)
{
    u64 now = interrupt_time();

    if (pin_register) {
        untold.count++;
        untold.time_stamp = now;
        pin_down();
    }
    apic_end_of_interrupt();
}

void pin_open(void)
{
    if (!pin_register) {
        u32 tile = vm_map_kernel(SCC_CRB_OWN, PAGE_SIZE, TYPE_UNCACHED);

        pin_register =
            tile + SCC_CRB_GLCFG(read_register(tile + SCC_CRB_TILEID) & 7);
    }
    /* What was set before somebody cared is no interrupt. */
    pin_down();
    untold.count = 0;
    apic_enable_pin();
}

bool pin_ready(void)
{
    return untold.count != 0;
}

s32 pin_read(const struct file *file, void *buffer, u32 count)
{
    if (count < sizeof(untold.count))
        return -EINVAL;
    while (untold.count == 0) {
        if (file->flags & O_NONBLOCK)
            return -EAGAIN;
        if (signal_waiting())
            return -ERESTART;
        wait_for_event();
    }
    if (count > sizeof(untold))
        count = sizeof(untold);
    else if (count < sizeof(untold))
        count = sizeof(untold.count);
    memcpy(buffer, &untold, count);
    untold.count = 0;
    return (s32)count;
}
