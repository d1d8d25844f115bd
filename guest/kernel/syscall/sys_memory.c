/* System calls about memory that the program has: brk, munmap, mprotect and
 * relatives. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "inner/inner.h"
#include "lib/options.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

static u32 break_now;

void memory_set_break(u32 start)
{
    heap_start = break_now = start;
}

/* Once: a program that does not look at its null pointer says nothing. */
bool memory_promise(u32 length)
{
    static bool said;

    if (region_promise(length))
        return true;
    if (!said)
        print("rockcreek: core %u: mmap of %u KB fails: of the %u MB that "
              "this core has %u MB are promised already (malloc returns "
              "null); share the data out to more cores, or use less\n",
              options.core, length / 1024,
              frames_total() / (0x100000 / PAGE_SIZE),
              region_promised_pages() / (0x100000 / PAGE_SIZE));
    said = true;
    return false;
}

/* Failure leaves the break where it is: that is the interface. */
s32 sys_brk(const u32 *args)
{
    u32 wanted = args[0];
    u32 old_end = PAGE_UP(break_now);
    u32 new_end = PAGE_UP(wanted);

    if (wanted < heap_start || wanted > MMAP_TOP)
        return (s32)break_now;
    if (new_end > old_end) {
        struct region more = {.start = old_end,
                              .end = new_end,
                              .protection = PROT_READ | PROT_WRITE};

        if (!region_free(old_end, new_end) ||
            !region_promise(new_end - old_end) || region_add(&more))
            return (s32)break_now;
    } else if (new_end < old_end && region_remove(new_end, old_end)) {
        return (s32)break_now;
    }
    break_now = wanted;
    return (s32)break_now;
}

s32 memory_remove(u32 start, u32 end)
{
    s32 error = shared_remove(start, end);

    if (!error)
        error = region_remove(start, end);
    memory_files_collect();
    return error;
}

static bool valid_range(u32 address, u32 length)
{
    u32 end = address + PAGE_UP(length);

    return address % PAGE_SIZE == 0 && length > 0 && end > address &&
           end <= USER_END;
}

s32 sys_munmap(const u32 *args)
{
    if (!valid_range(args[0], args[1]))
        return -EINVAL;
    return memory_remove(args[0], args[0] + PAGE_UP(args[1]));
}

s32 sys_msync(const u32 *args)
{
    if (args[1] == 0)
        return 0;
    if (!valid_range(args[0], args[1]))
        return -EINVAL;
    return shared_sync(args[0], args[0] + PAGE_UP(args[1]));
}

s32 sys_mprotect(const u32 *args)
{
    if (args[1] == 0)
        return 0;
    if (!valid_range(args[0], args[1]))
        return -EINVAL;
    /* A page that cannot be read cannot be written back later. */
    if (!args[2])
        shared_sync(args[0], args[0] + PAGE_UP(args[1]));
    return region_protect(args[0], args[0] + PAGE_UP(args[1]), args[2]);
}

s32 sys_madvise(const u32 *args)
{
    if (args[1] == 0)
        return 0;
    if (!valid_range(args[0], args[1]))
        return -EINVAL;
    if (args[2] == MADV_DONTNEED &&
        !shared_overlaps(args[0], args[0] + PAGE_UP(args[1])))
        region_discard(args[0], args[0] + PAGE_UP(args[1]));
    return 0;
}

/* Grows in place, or moves to where there is room. */
static s32 grow(u32 address, u32 old_length, u32 length, u32 may_move)
{
    struct region *region = region_find(address);
    struct region more;
    u32 old_end = address + old_length;
    u32 to;
    s32 error;

    if (!region || region->end < old_end)
        return -EFAULT;
    if (region->kind != REGION_ANONYMOUS || shared_overlaps(address, old_end))
        return -EINVAL;
    if (!memory_promise(length - old_length))
        return -ENOMEM;
    more = *region;
    more.start = old_end;
    more.end = address + length;
    if (more.end > more.start && more.end <= MMAP_TOP &&
        region_free(more.start, more.end)) {
        error = region_add(&more);
        return error ? error : (s32)address;
    }
    if (!may_move)
        return -ENOMEM;
    to = region_gap(length);
    more.start = to;
    more.end = to + length;
    error = to ? region_add(&more) : -ENOMEM;
    if (!error)
        error = region_move(address, to, old_length);
    if (!error)
        error = region_remove(address, old_end);
    return error ? error : (s32)to;
}

s32 sys_mremap(const u32 *args)
{
    u32 old_length = PAGE_UP(args[1]);
    u32 address = args[0], length = PAGE_UP(args[2]);
    s32 error;

    if (!valid_range(args[0], args[1]) || length == 0 ||
        args[3] & ~MREMAP_MAYMOVE)
        return -EINVAL;
    if (length > old_length)
        return grow(address, old_length, length, args[3] & MREMAP_MAYMOVE);
    if (length == old_length)
        return (s32)address;
    error = memory_remove(address + length, address + old_length);
    return error ? error : (s32)address;
}
