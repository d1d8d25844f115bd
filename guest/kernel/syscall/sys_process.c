/* System calls about the process, its limits and the machine. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/divide.h"
#include "lib/options.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/thread.h"
#include "syscall/clocks.h"
#include "syscall/syscall.h"

#define DESCRIPTORS_MAX 256u
#define UNLIMITED 0xFFFFFFFFu
#define RLIMIT_STACK 3u
#define RLIMIT_NOFILE 7u
#define RLIMITS 16u
#define RUSAGE_SELF 0u
#define RUSAGE_THREAD 1u
#define RUSAGE_CHILDREN (~0u)

s32 sys_exit(const u32 *args)
{
    if (options.strace)
        print("\n");
    exit_normally(args[0]);
}

s32 sys_getpid(const u32 *args)
{
    (void)args;
    return process_id();
}

/* The core is the processor; all of them are one node. */
s32 sys_getcpu(const u32 *args)
{
    const u32 node = 0, core = options.core;

    if (args[0] && copy_out(args[0], &core, sizeof(core)))
        return -EFAULT;
    return args[1] ? copy_out(args[1], &node, sizeof(node)) : 0;
}

/* The program is root, as programs on the SCC's cores were. */
s32 sys_getuid(const u32 *args)
{
    (void)args;
    return 0;
}

s32 sys_getresuid(const u32 *args)
{
    u32 root = 0;

    for (u32 n = 0; n < 3; n++)
        if (copy_out(args[n], &root, sizeof(root)))
            return -EFAULT;
    return 0;
}

/* Calls that have nothing to do on this machine. */
s32 sys_accepted(const u32 *args)
{
    (void)args;
    return 0;
}

/* The call returns 20 less the nice value, which is always 0. */
s32 sys_getpriority(const u32 *args)
{
    (void)args;
    return 20;
}

/* Linux's numbers: FIFO and RR have priorities of 1 to 99, all else has 0. */
static s32 priority(u32 policy, s32 of_real_time)
{
    if (policy > 6)
        return -EINVAL;
    return policy == 1 || policy == 2 ? of_real_time : 0;
}

s32 sys_highest_priority(const u32 *args)
{
    return priority(args[0], 99);
}

s32 sys_lowest_priority(const u32 *args)
{
    return priority(args[0], 1);
}

s32 sys_not_permitted(const u32 *args)
{
    (void)args;
    return -EPERM;
}

struct names {
    char system[65], node[65], release[65], version[65], machine[65];
    char domain[65];
};

s32 sys_uname(const u32 *args)
{
    struct names names = {
        .system = "Linux",
        /* The oldest release that static programs of later years accept. */
        .release = "3.2.0",
        .version = "rockcreek",
        .machine = "i586",
        .domain = "(none)",
    };

    format_text(names.node, sizeof(names.node), "rck%02u", options.core);
    return copy_out(args[0], &names, sizeof(names));
}

struct system_information {
    u32 uptime;
    u32 loads[3];
    u32 memory, memory_free, memory_shared, memory_buffers;
    u32 swap, swap_free;
    u16 processes, padding;
    u32 high, high_free;
    u32 unit;
    u8 reserved[8];
};

s32 sys_sysinfo(const u32 *args)
{
    struct system_information info = {
        .uptime = (u32)divide(clock_nanoseconds(), 1000000000u, NULL),
        .memory = frames_total() * PAGE_SIZE,
        .memory_free = frames_available() * PAGE_SIZE,
        .processes = 1,
        .unit = 1,
    };

    return copy_out(args[0], &info, sizeof(info));
}

/* Everything is user time; memory is counted at its most, in KB. */
s32 sys_getrusage(const u32 *args)
{
    u32 usage[18] = {0};
    struct timeval32 *user = (struct timeval32 *)usage;
    s32 whose = args[0] == RUSAGE_THREAD ? current->id : CPU_OF_PROCESS;

    if (args[0] != RUSAGE_SELF && args[0] != RUSAGE_THREAD &&
        args[0] != RUSAGE_CHILDREN)
        return -EINVAL;
    if (args[0] == RUSAGE_CHILDREN) {
        *user = timeval_of(cpu_of_children());
    } else {
        usage[4] = frames_most() * (PAGE_SIZE / 1024);
        *user = timeval_of(time_of(whose));
    }
    return copy_out(args[1], usage, sizeof(usage));
}

static u32 limit_of(u32 resource)
{
    switch (resource) {
    case RLIMIT_STACK:
        return STACK_SIZE;
    case RLIMIT_NOFILE:
        return DESCRIPTORS_MAX;
    }
    return UNLIMITED;
}

s32 sys_getrlimit(const u32 *args)
{
    u32 limits[2] = {limit_of(args[0]), limit_of(args[0])};

    if (args[0] >= RLIMITS)
        return -EINVAL;
    return copy_out(args[1], limits, sizeof(limits));
}

/* The first form of the call could say no more than 2^31 - 1. */
s32 sys_old_getrlimit(const u32 *args)
{
    u32 limit = limit_of(args[0]) & 0x7FFFFFFF;
    u32 limits[2] = {limit, limit};

    if (args[0] >= RLIMITS)
        return -EINVAL;
    return copy_out(args[1], limits, sizeof(limits));
}

/* New limits are accepted and change nothing: none is enforced but by what
 * there is. */
s32 sys_prlimit64(const u32 *args)
{
    u32 limit = limit_of(args[1]);
    u64 wide = limit == UNLIMITED ? ~0ull : limit;
    u64 limits[2] = {wide, wide};

    if (args[1] >= RLIMITS)
        return -EINVAL;
    return args[3] ? copy_out(args[3], limits, sizeof(limits)) : 0;
}

s32 sys_sched_getaffinity(const u32 *args)
{
    u32 one_processor = 1;

    if (args[1] < sizeof(one_processor))
        return -EINVAL;
    if (copy_out(args[2], &one_processor, sizeof(one_processor)))
        return -EFAULT;
    return sizeof(one_processor);
}

#define PR_SET_NAME 15u

s32 sys_prctl(const u32 *args)
{
    return args[0] == PR_SET_NAME ? 0 : -EINVAL;
}
