/* The end of this core's run: the exit record of the host channel. */
#include "abi/abi_signal.h"
#include "drivers/drivers.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/trapframe.h"
#include "scc/host_channel.h"
#include "scc/registers.h"

static void finish(u32 reason, u32 code, u32 eip, u32 address, u32 vector)
    __attribute__((noreturn));

static void finish(u32 reason, u32 code, u32 eip, u32 address, u32 vector)
{
    host_write(SCC_HOST_EXIT_REASON, reason);
    host_write(SCC_HOST_EXIT_CODE, code);
    host_write(SCC_HOST_EXIT_EIP, eip);
    host_write(SCC_HOST_EXIT_ADDRESS, address);
    host_write(SCC_HOST_EXIT_VECTOR, vector);
    /* Uncached writes leave in program order: when the host sees this one,
     * the record is complete. */
    host_write(SCC_HOST_EXIT_DONE, 1);
    halt_forever();
    __builtin_unreachable();
}

void exit_normally(u32 code)
{
    shared_sync(0, USER_END);
    descriptors_unlock();
    finish(SCC_EXIT_NORMAL, code & 0xFF, 0, 0, SCC_EXIT_NO_VECTOR);
}

void exit_by_signal(const struct siginfo *info, const struct trapframe *frame,
                    u32 vector)
{
    shared_sync(0, USER_END);
    descriptors_unlock();
    finish(SCC_EXIT_SIGNAL, (u32)info->number, frame->eip, info->fields[0],
           vector);
}

void exit_by_panic(u32 eip, u32 address, u32 vector)
{
    finish(SCC_EXIT_PANIC, 0, eip, address, vector);
}
