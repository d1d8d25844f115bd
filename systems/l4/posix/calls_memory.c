/*
 * calls_memory.c: brk, mmap, munmap. Protection is not changed later:
 * mprotect is accepted, and a page stays as it was mapped.
 */
#include "posix/posix.h"

#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define PROT_WRITE 2

static uint32_t heap_start, heap_end;

void boundary_set(uint32_t end)
{
    heap_start = heap_end = end;
}

int32_t call_brk(const struct registers *r)
{
    uint32_t end = (r->ebx + PAGE - 1) & -PAGE;
    uint32_t old = (heap_end + PAGE - 1) & -PAGE;

    if (r->ebx < heap_start || end > USER_END)
        return (int32_t)heap_end;
    if (end > old && region_add(old, end, 1))
        return (int32_t)heap_end;
    if (end < old)
        region_remove(end, old);
    heap_end = r->ebx;
    return (int32_t)heap_end;
}

int32_t call_mmap(const struct registers *r)
{
    uint32_t bytes = (r->ecx + PAGE - 1) & -PAGE, at = r->ebx;
    int result;

    if (!(r->esi & MAP_ANONYMOUS))
        return EBADF;
    if (!bytes || bytes > USER_END)
        return EINVAL;
    if (!(r->esi & MAP_FIXED))
        at = region_find(bytes);
    else if (at % PAGE || at > USER_END - bytes)
        return EINVAL;
    else if (region_remove(at, at + bytes))
        return ENOMEM;
    /* PROT_NONE is often made writable by mprotect later. */
    result = at ? region_add(at, at + bytes,
                             r->edx == 0 || (r->edx & PROT_WRITE) != 0)
                : ENOMEM;
    return result ? result : (int32_t)at;
}

int32_t call_munmap(const struct registers *r)
{
    uint32_t bytes = (r->ecx + PAGE - 1) & -PAGE;

    if (r->ebx % PAGE || !bytes || r->ebx >= USER_END ||
        bytes > USER_END - r->ebx)
        return EINVAL;
    return region_remove(r->ebx, r->ebx + bytes);
}
