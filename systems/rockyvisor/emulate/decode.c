/*
 * decode.c: takes apart the instructions that are emulated: prefixes, opcode,
 * ModRM with its address, immediate [intel-sdm]. Segments are flat but for
 * those of 16-bit code.
 */
#include "emulate/decode.h"

#define ADDRESS_SIZE 0x67
#define NO_SEGMENT 0xFFFFFFFFu

u32 *general_register(struct vcpu *v, u32 number)
{
    struct frame *f = &v->frame;
    u32 *at[8] = {&f->eax, &f->ecx, &f->edx, &f->ebx,
                  &f->esp, &f->ebp, &f->esi, &f->edi};

    return at[number];
}

u32 register_read(struct vcpu *v, u32 number, u32 bytes)
{
    if (bytes == 1)
        return (*general_register(v, number & 3) >> (number & 4 ? 8 : 0)) &
               0xFF;
    return *general_register(v, number) & (bytes == 2 ? 0xFFFF : 0xFFFFFFFF);
}

void register_write(struct vcpu *v, u32 number, u32 bytes, u32 value)
{
    u32 *at = general_register(v, bytes == 1 ? number & 3 : number);
    u32 shift = bytes == 1 && number & 4 ? 8 : 0;
    u32 mask = bytes == 4 ? 0xFFFFFFFF : bytes == 2 ? 0xFFFF : 0xFFu << shift;

    *at = (*at & ~mask) | ((value << shift) & mask);
}

static u32 take(struct instruction *i, u32 bytes)
{
    u32 value = 0;

    for (u32 n = 0; n < bytes; n++)
        value |= (u32)i->bytes[(i->length + n) & 15] << 8 * n;
    i->length += bytes;
    return value;
}

static s32 take_signed(struct instruction *i, u32 bytes)
{
    u32 value = take(i, bytes), top = 1u << (8 * bytes - 1);

    return bytes == 4 ? (s32)value : (s32)((value ^ top) - top);
}

static u32 address_32(struct vcpu *v, struct instruction *i, u32 mod, u32 rm)
{
    u32 address = 0, sib = 0, base = rm;

    if (rm == 4) {
        sib = take(i, 1);
        base = sib & 7;
        if ((sib >> 3 & 7) != 4)
            address = *general_register(v, sib >> 3 & 7) << (sib >> 6);
    }
    if (mod == 0 && base == 5)
        return address + take(i, 4);
    address += *general_register(v, base);
    if (mod)
        address += (u32)take_signed(i, mod == 1 ? 1 : 4);
    return address;
}

static u32 address_16(struct vcpu *v, struct instruction *i, u32 mod, u32 rm)
{
    struct frame *f = &v->frame;
    u32 bases[8] = {f->ebx + f->esi, f->ebx + f->edi, f->ebp + f->esi,
                    f->ebp + f->edi, f->esi,          f->edi,
                    f->ebp,          f->ebx};
    u32 address = bases[rm];

    if (mod == 0 && rm == 6)
        address = take(i, 2);
    else if (mod)
        address += (u32)take_signed(i, mod == 1 ? 1 : 2);
    return address & 0xFFFF;
}

static bool has_modrm(u32 opcode)
{
    if (opcode & TWO_BYTES) {
        u32 low = opcode & 0xFF;

        return low <= 0x05 || low == 0x07 || (low >= 0x20 && low <= 0x23) ||
               low == 0xA7 || low == 0xB6 || low == 0xB7;
    }
    return (opcode >= 0x80 && opcode <= 0x8F) || opcode == 0xC6 ||
           opcode == 0xC7 || opcode == 0xF6 || opcode == 0xF7 ||
           (opcode < 0x40 && (opcode & 7) < 4);
}

static void take_immediate(struct instruction *i)
{
    u32 op = i->opcode;

    if (op == 0x80 || op == 0x83 || op == 0xC6 || (op >= 0xE4 && op <= 0xE7) ||
        op == 0xEB || op == 0xCD || (op == 0xF6 && reg_field(i) < 2))
        i->immediate = (u32)take_signed(i, 1);
    else if (op == 0x81 || op == 0xC7 || (op == 0xF7 && reg_field(i) < 2))
        i->immediate = (u32)take_signed(i, i->operand);
}

/* The segment of an operand in memory, by prefix. */
static u32 segment_base(struct vcpu *v, u32 prefix)
{
    struct frame *f = &v->frame;

    if (!(f->flags & FLAG_VM))
        return 0;
    switch (prefix) {
    case 0x2E:
        return f->cs << 4;
    case 0x36:
        return f->ss << 4;
    case 0x26:
        return f->v86_es << 4;
    case 0x64:
        return f->v86_fs << 4;
    case 0x65:
        return f->v86_gs << 4;
    default:
        return f->v86_ds << 4;
    }
}

static u32 prefixes(struct instruction *i)
{
    u32 segment = NO_SEGMENT;

    for (;; i->length++) {
        switch (i->bytes[i->length & 15]) {
        case OP_OPERAND_SIZE:
            i->operand ^= 6;
            break;
        case ADDRESS_SIZE:
            i->narrow = !i->narrow;
            break;
        case 0xF2:
        case 0xF3:
            i->repeats = true;
            break;
        case 0xF0:
        case 0x2E:
        case 0x36:
        case 0x3E:
        case 0x26:
        case 0x64:
        case 0x65:
            segment = i->bytes[i->length & 15];
            break;
        default:
            return segment;
        }
        if (i->length == 14)
            return segment;
    }
}

/* False: its bytes cannot be read. */
bool decode(struct vcpu *v, struct instruction *i)
{
    struct frame *f = &v->frame;
    bool is_16 = (f->flags & FLAG_VM) != 0;
    u32 at = is_16 ? (f->cs << 4) + (f->eip & 0xFFFF) : f->eip, segment;
    u32 there = PAGE - at % PAGE;

    *i = (struct instruction){.operand = is_16 ? 2 : 4, .narrow = is_16};
    if (!guest_read(v, at, i->bytes, there < 15 ? there : 15))
        return false;
    if (there < 15) /* what lies behind may be absent */
        guest_read(v, at + there, i->bytes + there, 15 - there);
    segment = prefixes(i);
    i->opcode = take(i, 1);
    if (i->opcode == 0x0F)
        i->opcode = TWO_BYTES | take(i, 1);
    if (has_modrm(i->opcode)) {
        i->modrm = (u8)take(i, 1);
        i->has_memory = i->modrm < 0xC0;
    }
    if (i->has_memory)
        i->address =
            segment_base(v, segment) +
            (i->narrow ? address_16(v, i, i->modrm >> 6, i->modrm & 7)
                       : address_32(v, i, i->modrm >> 6, i->modrm & 7));
    if (i->opcode >= 0xA0 && i->opcode <= 0xA3) {
        i->has_memory = true;
        i->address = segment_base(v, segment) + take(i, i->narrow ? 2 : 4);
    }
    take_immediate(i);
    return i->length <= 15;
}
