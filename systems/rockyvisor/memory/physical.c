/* physical.c: the guest's memory by its physical addresses. */
#include "visor.h"

bool is_guest_memory(u32 gpa)
{
    return gpa < options.memory;
}

static bool copy(u32 gpa, u8 *bytes, u32 count, bool write)
{
    while (count) {
        u32 part = PAGE - gpa % PAGE, done = part < count ? part : count;
        u8 *at;

        if (!is_guest_memory(gpa))
            return false;
        at = (u8 *)page_hold(gpa / PAGE, write) + gpa % PAGE;
        memcpy(write ? at : bytes, write ? bytes : at, done);
        gpa += done;
        bytes += done;
        count -= done;
    }
    return true;
}

bool physical_read(u32 gpa, void *to, u32 bytes)
{
    return copy(gpa, to, bytes, false);
}

bool physical_write(u32 gpa, const void *from, u32 bytes)
{
    return copy(gpa, (u8 *)from, bytes, true);
}
