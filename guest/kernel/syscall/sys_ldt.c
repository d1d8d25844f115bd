/* modify_ldt: segments of the program's own. The table is there from the
 * first entry that a program writes; until then the LDT is null. */
#include "abi/abi.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "process/process.h"
#include "syscall/syscall.h"

#define LDT_ENTRIES 8192u
#define READ 0u
#define WRITE_OLD 1u
#define READ_DEFAULT 2u
#define WRITE 0x11u
#define DEFAULT_BYTES 40u
#define CONFORMING 0x06u

static u64 ldt[LDT_ENTRIES];
static u32 ldt_used;

static s32 read_ldt(u32 address, u32 bytes)
{
    if (!ldt_used)
        return 0;
    if (bytes > sizeof(ldt))
        bytes = sizeof(ldt);
    return copy_out(address, ldt, bytes) ? -EFAULT : (s32)bytes;
}

static s32 read_default(u32 address, u32 bytes)
{
    static const u64 none[DEFAULT_BYTES / 8];

    if (bytes > sizeof(none))
        bytes = sizeof(none);
    return copy_out(address, none, bytes) ? -EFAULT : (s32)bytes;
}

static s32 write_ldt(u32 address, u32 bytes, bool old)
{
    struct user_desc wanted;

    if (bytes != sizeof(wanted))
        return -EINVAL;
    if (copy_in(&wanted, address, sizeof(wanted)))
        return -EFAULT;
    if (wanted.entry >= LDT_ENTRIES)
        return -EINVAL;
    if ((wanted.flags & DESC_CONTENTS) == CONFORMING &&
        (old || !(wanted.flags & DESC_NOT_PRESENT)))
        return -EINVAL;
    if (old)
        wanted.flags &= ~DESC_USEABLE;
    if (!ldt_used)
        segment_use_ldt(ldt, LDT_ENTRIES);
    if (wanted.entry >= ldt_used)
        ldt_used = wanted.entry + 1;
    ldt[wanted.entry] =
        segment_is_empty(&wanted) || (old && !wanted.base && !wanted.limit)
            ? 0
            : segment_encode(&wanted);
    return 0;
}

s32 sys_modify_ldt(const u32 *args)
{
    u32 address = args[1], bytes = args[2];

    switch (args[0]) {
    case READ:
        return read_ldt(address, bytes);
    case READ_DEFAULT:
        return read_default(address, bytes);
    case WRITE_OLD:
        return write_ldt(address, bytes, true);
    case WRITE:
        return write_ldt(address, bytes, false);
    default:
        return -ENOSYS;
    }
}
