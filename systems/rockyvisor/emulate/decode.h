/* decode.h: an instruction of the guest, decoded into its parts. */
#ifndef ROCKYVISOR_DECODE_H
#define ROCKYVISOR_DECODE_H

#include "visor.h"

#define TWO_BYTES 0x0F00u /* upper byte of `opcode` for 0F xx */

struct instruction {
    u8 bytes[16];
    u32 length;
    u32 opcode;
    u32 operand; /* bytes of an operand that is not a byte: 2 or 4 */
    bool narrow; /* 16-bit addresses */
    bool repeats;
    u8 modrm;
    bool has_memory;
    u32 address; /* linear address of the operand in memory */
    u32 immediate;
};

bool decode(struct vcpu *v, struct instruction *i);
u32 *general_register(struct vcpu *v, u32 number);
u32 register_read(struct vcpu *v, u32 number, u32 bytes);
void register_write(struct vcpu *v, u32 number, u32 bytes, u32 value);

static inline u32 reg_field(const struct instruction *i)
{
    return i->modrm >> 3 & 7;
}

#endif
