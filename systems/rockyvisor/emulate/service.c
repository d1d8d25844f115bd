/*
 * service.c: a page beyond the guest's memory, by which a program of the guest
 * prints without the guest's drivers and ends the machine: what the first
 * program of `rck smp PROG` maps (linux/programs/first.c).
 */
#include "emulate/emulate.h"
#include "service.h"

#define PIECE 256u
#define MOST 0x10000u /* at once: other cores wait meanwhile */

static u32 from; /* address of what is to be printed, in the guest's space */

/* Three characters are a mail. */
static void print_bytes(const u8 *bytes, u32 count)
{
    for (u32 n = 0; n < count; n += 3)
        console_out(&bytes[n], count - n < 3 ? count - n : 3);
}

static void print_of(struct vcpu *v, u32 count)
{
    u8 piece[PIECE];

    while (count && count <= MOST) {
        u32 part = count < PIECE ? count : PIECE;

        if (!guest_read(v, from, piece, part))
            return;
        print_bytes(piece, part);
        from += part;
        count -= part;
    }
}

u32 service_read(u32 offset)
{
    return offset == SERVICE_MAGIC ? SERVICE_MAGIC_WORD : 0;
}

void service_write(struct vcpu *v, u32 offset, u32 value)
{
    if (offset == SERVICE_ADDRESS)
        from = value;
    else if (offset == SERVICE_PRINT)
        print_of(v, value);
    else if (offset == SERVICE_END)
        power_off(value & 0xFF);
}
