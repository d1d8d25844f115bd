/* returns.c: IRET to where no processor may return. */
#include "guest/guest.h"

#define NOWHERE 0xF9000000u /* behind the end of the guest's segments */
#define PROTECTION 13u
#define ABSENT ((GDT_ENTRIES - 1) * 8) /* of the segments */

static bool returning;
static u32 fault_eip;

/* Whether an exception is that of probe_return; it goes on behind. */
bool returns_fault(struct frame *f)
{
    if (!returning)
        return false;
    returning = false;
    fault_eip = f->eip;
    f->eax = f->vector << 16 | f->error;
    f->eip = (u32)probe_returned;
    f->cs = KERNEL_CODE;
    return true;
}

void test_returns(void)
{
    static const struct {
        const char *what;
        u32 eip, cs, ss, error;
    } kinds[] = {
        {"IRET to no segment is #GP", 0, 0, 0, 0},
        {"to an absent one, with its selector", 0, ABSENT, 0, ABSENT},
        {"to data", 0, KERNEL_DATA, 0, KERNEL_DATA},
        {"to one behind the table", 0, 0x1C0, 0, 0x1C0},
        {"to a local one", 0, 0x14, 0, 0x14},
        {"with code as a program's stack", 0, USER_CODE, USER_CODE, 0x20},
        {"with the kernel's stack", 0, USER_CODE, KERNEL_DATA, KERNEL_DATA},
        {"to an address that no segment has", NOWHERE, KERNEL_CODE, 0, 0},
    };

    for (u32 n = 0; n < sizeof(kinds) / sizeof(*kinds); n++) {
        u32 told;

        returning = true;
        told = probe_return(kinds[n].eip, kinds[n].cs, kinds[n].ss, 0);
        check(kinds[n].what,
              told == (PROTECTION << 16 | kinds[n].error) &&
                  (fault_eip == NOWHERE) == (kinds[n].eip == NOWHERE));
    }
}
