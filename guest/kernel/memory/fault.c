/* Page faults below USER_END: a page appears at its first touch.
 *
 * Demand paging makes a large malloc cost only what is used. The kernel's
 * own accesses to user memory come here too.
 */
#include "abi/abi.h"
#include "abi/abi_signal.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"

/* The frame is the object's own; it appears there first. */
static s32 add_object_page(u32 page, const struct region *region, u32 bits)
{
    u32 own =
        object_page(region->type, region->physical + (page - region->start));
    s32 error = own ? fault_resolve(own, true) : BEHIND_OBJECT;

    return error ? error : vm_map(page, *vm_entry(own) & PTE_FRAME, bits);
}

static s32 add_page(u32 page, const struct region *region, u32 bits)
{
    enum frame_content content;
    u32 frame, type;

    if (region->kind == REGION_OBJECT)
        return add_object_page(page, region, bits);
    if (region->kind != REGION_ANONYMOUS) {
        u32 physical = region->physical + (page - region->start);

        if (region->kind == REGION_BUFFERS)
            physical = buffer_physical(physical);
        return vm_map(page, physical, bits | region->type);
    }
    frame = frame_alloc(&content);
    if (!frame)
        return -ENOMEM;
    type = content == FRAME_FRESH ? TYPE_MPBT : TYPE_WRITE_BACK;
    /* Mapped writable until it is cleared: through the program's own
     * address, for the kernel keeps no other view of user memory. */
    if (vm_map(page, frame, PTE_PRESENT | PTE_WRITE | type)) {
        frame_free(frame);
        return -ENOMEM;
    }
    if (content == FRAME_FRESH)
        vm_clear_fresh_page(page);
    else if (content == FRAME_USED)
        vm_clear_page(page);
    return vm_map(page, frame, bits | PTE_OWNED);
}

/* Zero when the access may be tried again; SEGV_MAPERR, SEGV_ACCERR or
 * BEHIND_OBJECT when the program is at fault; -ENOMEM when there is no frame
 * left. */
s32 fault_resolve(u32 address, bool write)
{
    struct region *region = region_find(address);
    u32 page = PAGE_DOWN(address);
    u32 bits = PTE_PRESENT | PTE_USER;
    u32 *entry;

    if (!region)
        return SEGV_MAPERR;
    if (!region->protection || (write && !(region->protection & PROT_WRITE)))
        return SEGV_ACCERR;
    if (region->protection & PROT_WRITE)
        bits |= PTE_WRITE;
    entry = vm_entry(page);
    if (entry && *entry) {
        *entry |= bits; /* it lost its permission and has it again */
        invalidate_page(page);
        return 0;
    }
    return add_page(page, region, bits);
}
