/* System calls about other processes of the core: to make them and to wait for
 * their end. */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/process.h"
#include "process/signal.h"
#include "syscall/clocks.h"
#include "syscall/syscall.h"

#define WNOHANG 1u
#define WEXITED 4u
#define WNOWAIT 0x01000000u
#define P_ALL 0u
#define P_PID 1u
#define RUSAGE_WORDS 18

#define CLONE_VM 0x00000100u
#define CLONE_VFORK 0x00004000u
#define CLONE_CHILD_CLEARTID 0x00200000u
#define CLONE_CHILD_SETTID 0x01000000u
#define CLONE_OF_A_FORK \
    (0xFFu | CLONE_VM | CLONE_VFORK | CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID)

/* A kernel that makes no processes says so. */
static s32 fork(const u32 *args, u32 stack, u32 id_word)
{
    s32 result = process_fork(stack, id_word);

    return result == -ENOSYS ? sys_unavailable(args) : result;
}

/* A child that would use its parent's memory until it has a program of its own
 * (vfork) gets a copy, too. */
s32 sys_fork(const u32 *args)
{
    return fork(args, 0, 0);
}

/* clone without the flags of a thread, with flags that a copy can satisfy. */
s32 family_clone(const u32 *args)
{
    u32 flags = args[0];

    if (flags & ~CLONE_OF_A_FORK ||
        (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
        return sys_unavailable(args);
    return fork(args, args[1], flags & CLONE_CHILD_SETTID ? args[4] : 0);
}

s32 sys_getppid(const u32 *args)
{
    (void)args;
    return process_parent();
}

s32 sys_getpgrp(const u32 *args)
{
    (void)args;
    return process_group();
}

static s32 wait(const u32 *args, struct process_end *end)
{
    s32 id = process_wait((s32)args[0], args[2] & WNOHANG, end);

    if (id > 0 && args[1] &&
        copy_out(args[1], &end->status, sizeof(end->status)))
        return -EFAULT;
    return id;
}

s32 sys_waitpid(const u32 *args)
{
    struct process_end end;

    return wait(args, &end);
}

/* Of what the child used, its time is counted. */
s32 sys_wait4(const u32 *args)
{
    u32 usage[RUSAGE_WORDS] = {0};
    struct process_end end;
    s32 id = wait(args, &end);

    if (id > 0)
        *(struct timeval32 *)usage = timeval_of(end.used);
    if (id > 0 && args[3] && copy_out(args[3], usage, sizeof(usage)))
        return -EFAULT;
    return id;
}

static void describe(u32 status, u32 id, struct siginfo *info)
{
    bool killed = status & 0x7F;

    info->code = killed ? CLD_KILLED : CLD_EXITED;
    info->fields[0] = id;
    info->fields[2] = killed ? status & 0x7F : status >> 8;
}

s32 sys_waitid(const u32 *args)
{
    struct siginfo info = {.number = SIGCHLD};
    struct process_end end;
    s32 id;

    if (args[0] > P_PID || !(args[3] & WEXITED) || args[3] & WNOWAIT)
        return -EINVAL;
    id = process_wait(args[0] == P_PID ? (s32)args[1] : -1, args[3] & WNOHANG,
                      &end);
    if (id < 0)
        return id;
    if (id == 0)
        info.number = 0;
    else
        describe(end.status, (u32)id, &info);
    return args[2] && copy_out(args[2], &info, sizeof(info)) ? -EFAULT : 0;
}
