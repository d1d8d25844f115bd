/* System calls about the address space: brk, mmap and relatives. */
#include "abi_file.h"
#include "defs.h"
#include "file.h"
#include "region.h"
#include "syscall.h"

#define MAP_NORESERVE 0x4000u
/* Device mappings up to this size get their pages at once, as SCC Linux
 * did, so that a message buffer never faults while a program measures. */
#define EAGER_PAGES 16u
#define PHYSICAL_END 0x100000000ull

static u32 break_start, break_now;

void memory_set_break(u32 start)
{
    break_start = break_now = start;
}

/* Memory is promised only as far as there are frames for it; part of them
 * will be page tables. A program then sees ENOMEM here, not a fault later. */
static bool promise(u32 length)
{
    u32 limit = frames_total() - frames_total() / 512;

    return region_anonymous_pages() + length / PAGE_SIZE <= limit;
}

/* Failure leaves the break where it is: that is the interface. */
s32 sys_brk(const u32 *args)
{
    u32 wanted = args[0];
    u32 old_end = PAGE_UP(break_now);
    u32 new_end = PAGE_UP(wanted);

    if (wanted < break_start || wanted > MMAP_TOP)
        return (s32)break_now;
    if (new_end > old_end) {
        struct region more = {.start = old_end,
                              .end = new_end,
                              .protection = PROT_READ | PROT_WRITE};

        if (!region_free(old_end, new_end) || !promise(new_end - old_end) ||
            region_add(&more))
            return (s32)break_now;
    } else if (new_end < old_end && region_remove(new_end, old_end)) {
        return (s32)break_now;
    }
    break_now = wanted;
    return (s32)break_now;
}

static s32 memory_remove(u32 start, u32 end)
{
    s32 error = shared_remove(start, end);

    return error ? error : region_remove(start, end);
}

struct request {
    u32 address, length, protection, flags, descriptor;
    u64 offset;
};

/* Where the mapping goes; what MAP_FIXED covers is taken away. */
static s32 place(const struct request *r, u32 *address)
{
    u32 end = r->address + r->length;
    bool valid = r->address % PAGE_SIZE == 0 && r->address >= USER_START &&
                 end > r->address && end <= USER_END;

    if (r->flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
        if (!valid)
            return -EINVAL;
        *address = r->address;
        if (region_free(r->address, end))
            return 0;
        if (r->flags & MAP_FIXED_NOREPLACE)
            return -EEXIST;
        return memory_remove(r->address, end);
    }
    *address = valid && end <= MMAP_TOP && region_free(r->address, end)
                   ? r->address
                   : region_gap(r->length);
    return *address ? 0 : -ENOMEM;
}

/* A device: core-physical addresses with the device's memory type. Behind
 * the 4 GB of them the message buffers of all cores follow each other. */
static s32 map_physical(const struct request *r, u32 type)
{
    struct region region = {.protection = r->protection & PROT_WRITE
                                              ? PROT_READ | PROT_WRITE
                                              : r->protection,
                            .kind = REGION_PHYSICAL,
                            .physical = (u32)r->offset,
                            .type = type};
    s32 error;

    if (r->offset + r->length > PHYSICAL_END) {
        if (r->offset < PHYSICAL_END || type != TYPE_MPBT ||
            r->offset - PHYSICAL_END + r->length > buffers_size())
            return -EINVAL;
        region.kind = REGION_BUFFERS;
    }
    error = place(r, &region.start);
    region.end = region.start + r->length;
    if (!error)
        error = region_add(&region);
    for (u32 page = region.start;
         !error && page < region.end && r->protection &&
         r->length <= EAGER_PAGES * PAGE_SIZE;
         page += PAGE_SIZE)
        error = fault_resolve(page, false);
    return error ? error : (s32)region.start;
}

/* A copy of a part of a file; what a program writes into a shared one goes
 * back into the file (shared.c). */
static s32 map_copy(const struct request *r, struct file *file)
{
    struct region region = {.protection = PROT_READ | PROT_WRITE};
    bool writable = (file->flags & O_ACCMODE) == O_RDWR;
    bool shared = (r->flags & MAP_SHARED) != 0;
    s32 result;

    if (!file->ops->read || !file->ops->seekable)
        return -ENODEV;
    if ((file->flags & O_ACCMODE) == O_WRONLY ||
        (shared && !writable && r->protection & PROT_WRITE))
        return -EACCES;
    if (!promise(r->length))
        return -ENOMEM;
    result = place(r, &region.start);
    region.end = region.start + r->length;
    if (!result)
        result = region_add(&region);
    if (result)
        return result;
    result = file->ops->read(file, (void *)region.start, r->length, r->offset);
    if (result >= 0 && shared && writable)
        result = shared_add(region.start, region.end, file, r->offset);
    if (result >= 0)
        result = region_protect(region.start, region.end, r->protection);
    if (result < 0) {
        memory_remove(region.start, region.end);
        return result;
    }
    return (s32)region.start;
}

static s32 map_anonymous(const struct request *r)
{
    struct region region = {.protection = r->protection};
    s32 error;

    if (!(r->flags & MAP_NORESERVE) && !promise(r->length))
        return -ENOMEM;
    error = place(r, &region.start);
    region.end = region.start + r->length;
    if (!error)
        error = region_add(&region);
    return error ? error : (s32)region.start;
}

static s32 map(struct request *r)
{
    struct file *file;
    u32 type;

    if (r->length == 0 || r->offset % PAGE_SIZE)
        return -EINVAL;
    r->length = PAGE_UP(r->length);
    if (r->length == 0)
        return -ENOMEM;
    if (r->flags & MAP_ANONYMOUS)
        return map_anonymous(r);
    file = file_of(r->descriptor);
    if (!file)
        return -EBADF;
    if (device_map_type(file, &type) == 0)
        return map_physical(r, type);
    return device_zero(file) ? map_anonymous(r) : map_copy(r, file);
}

s32 sys_mmap2(const u32 *args)
{
    struct request request = {args[0], args[1], args[2],
                              args[3], args[4], (u64)args[5] << PAGE_SHIFT};

    return map(&request);
}

s32 sys_old_mmap(const u32 *args)
{
    struct request request = {0};
    u32 in[6];

    if (copy_in(in, args[0], sizeof(in)))
        return -EFAULT;
    request = (struct request){in[0], in[1], in[2], in[3], in[4], in[5]};
    return map(&request);
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
static s32 grow(const struct request *r, u32 old_length, u32 may_move)
{
    struct region *region = region_find(r->address);
    struct region more;
    u32 old_end = r->address + old_length;
    u32 to;
    s32 error;

    if (!region || region->end < old_end)
        return -EFAULT;
    if (region->kind != REGION_ANONYMOUS ||
        shared_overlaps(r->address, old_end))
        return -EINVAL;
    if (!promise(r->length - old_length))
        return -ENOMEM;
    more = *region;
    more.start = old_end;
    more.end = r->address + r->length;
    if (more.end > more.start && more.end <= MMAP_TOP &&
        region_free(more.start, more.end)) {
        error = region_add(&more);
        return error ? error : (s32)r->address;
    }
    if (!may_move)
        return -ENOMEM;
    to = region_gap(r->length);
    more.start = to;
    more.end = to + r->length;
    error = to ? region_add(&more) : -ENOMEM;
    if (!error)
        error = region_move(r->address, to, old_length);
    if (!error)
        error = region_remove(r->address, old_end);
    return error ? error : (s32)to;
}

s32 sys_mremap(const u32 *args)
{
    u32 old_length = PAGE_UP(args[1]);
    struct request r = {.address = args[0], .length = PAGE_UP(args[2])};
    s32 error;

    if (!valid_range(args[0], args[1]) || r.length == 0 ||
        args[3] & ~MREMAP_MAYMOVE)
        return -EINVAL;
    if (r.length > old_length)
        return grow(&r, old_length, args[3] & MREMAP_MAYMOVE);
    if (r.length == old_length)
        return (s32)r.address;
    error = memory_remove(r.address + r.length, r.address + old_length);
    return error ? error : (s32)r.address;
}
