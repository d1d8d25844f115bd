/* mmap: memory without a file, of devices, of files, of files in memory. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "devices/devices.h"
#include "inner/inner.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

#define MAP_NORESERVE 0x4000u
/* Device mappings up to this size get their pages at once, as SCC Linux
 * did, so that a message buffer never faults while a program measures. */
#define EAGER_PAGES 16u
#define PHYSICAL_END 0x100000000ull

/* The program expects others to see memory of its own: a copy of the process
 * (systems/l4/posix) does not. */
bool memory_for_others;

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

/* Finds the region's place, and adds it. */
static s32 add(const struct request *r, struct region *region)
{
    s32 error = place(r, &region->start);

    region->end = region->start + r->length;
    return error ? error : region_add(region);
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
    error = add(r, &region);
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
    if (!memory_promise(r->length))
        return -ENOMEM;
    result = add(r, &region);
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

/* A file in memory, shared: its own memory once more. */
static s32 map_object(const struct request *r, struct file *file, u32 object)
{
    struct region region = {.protection = r->protection,
                            .kind = REGION_OBJECT,
                            .physical = (u32)r->offset,
                            .type = object};
    u32 access = file->flags & O_ACCMODE;
    s32 error;

    if (access == O_WRONLY ||
        (access == O_RDONLY && r->protection & PROT_WRITE))
        return -EACCES;
    if (r->offset + r->length > PHYSICAL_END)
        return -EINVAL;
    error = add(r, &region);
    return error ? error : (s32)region.start;
}

static s32 map_anonymous(const struct request *r)
{
    struct region region = {.protection = r->protection,
                            .unpromised = (r->flags & MAP_NORESERVE) != 0};
    s32 error;

    memory_for_others |= (r->flags & MAP_SHARED) != 0;
    if (!region.unpromised && !memory_promise(r->length))
        return -ENOMEM;
    error = add(r, &region);
    return error ? error : (s32)region.start;
}

static s32 map(struct request *r)
{
    struct file *file;
    u32 type, object;

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
    if (r->flags & MAP_SHARED && memory_file_object(file, &object))
        return map_object(r, file, object);
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
