/* Reading and writing the program's memory on its behalf.
 *
 * Every range is checked against the regions first; then it is used
 * directly, and pages that are not there yet appear as they do for the
 * program itself. Nothing else runs in between.
 */
#include "abi/abi.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"

#define LONGEST 0x7FFFF000u /* so that the result of a call is no error */

/* Where a region's memory ends: a mapped file in memory may end before its
 * mapping does. */
static u32 end_of(const struct region *region)
{
    u32 size;

    if (region->kind != REGION_OBJECT)
        return region->end;
    size = object_size(region->type);
    if (region->physical >= size)
        return region->start;
    size -= region->physical;
    return size < region->end - region->start ? region->start + size
                                              : region->end;
}

/* How many bytes from the address on may be used, at most `length`. */
static u32 usable(u32 address, u32 length, u32 protection)
{
    u32 end = address;

    while (end - address < length) {
        struct region *region = region_find(end);

        if (!region || !region->protection ||
            (region->protection & protection) != protection ||
            end_of(region) <= end)
            return end - address;
        end = end_of(region);
    }
    return length;
}

static bool allowed(u32 address, u32 length, u32 protection)
{
    return usable(address, length, protection) == length;
}

/* Of a buffer that the program gives longer than its memory is, the part that
 * can be used is; -EFAULT if there is none. */
s32 user_part(u32 address, u32 *length, bool write)
{
    u32 part = usable(address, *length, write ? PROT_WRITE : 0);

    if (part == 0 && *length > 0)
        return -EFAULT;
    *length = part < LONGEST ? part : LONGEST;
    return 0;
}

bool user_readable(u32 address, u32 length)
{
    return allowed(address, length, 0);
}

bool user_writable(u32 address, u32 length)
{
    return allowed(address, length, PROT_WRITE);
}

s32 copy_in(void *to, u32 from, u32 length)
{
    if (!user_readable(from, length))
        return -EFAULT;
    memcpy(to, (const void *)from, length);
    return 0;
}

s32 copy_out(u32 to, const void *from, u32 length)
{
    if (!user_writable(to, length))
        return -EFAULT;
    memcpy((void *)to, from, length);
    return 0;
}

/* Returns the length; a string that does not fit is -ENAMETOOLONG. */
s32 copy_in_string(char *to, u32 from, u32 capacity)
{
    u32 checked = from; /* user memory below it is known to be readable */

    for (u32 n = 0; n < capacity; n++) {
        if (from + n == checked) {
            if (!user_readable(checked, 1))
                return -EFAULT;
            checked = PAGE_DOWN(checked) + PAGE_SIZE;
        }
        to[n] = *(const char *)(from + n);
        if (!to[n])
            return (s32)n;
    }
    return -ENAMETOOLONG;
}
