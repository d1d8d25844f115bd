/* The processes of a core that has one. A kernel with several processes a core
 * (systems/l4/posix) has other files in place of this one. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "lib/options.h"
#include "lib/types.h"
#include "process/process.h"
#include "process/signal.h"

#define FIRST_PROCESS 1000
#define PARENT 1

/* The number says which core's process it is. */
s32 process_id(void)
{
    return FIRST_PROCESS + (s32)options.core;
}

s32 process_parent(void)
{
    return PARENT;
}

s32 process_group(void)
{
    return process_id();
}

s32 process_fork(u32 stack, u32 id_word)
{
    (void)stack;
    (void)id_word;
    return -ENOSYS;
}

s32 process_wait(s32 id, bool poll, struct process_end *end)
{
    (void)id;
    (void)poll;
    (void)end;
    return -ECHILD;
}

/* 0 and -1 address groups, which hold this process alone. */
s32 process_send(s32 id, u32 number, struct sent_signal signal)
{
    if (id != process_id() && id != 0 && id != -1)
        return -ESRCH;
    if (number > SIGNALS)
        return -EINVAL;
    if (number > 0)
        signal_send_with(number, signal);
    return 0;
}
