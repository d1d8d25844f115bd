/*
 * access.c: instructions that access the page of the local APIC or that of
 * service.c: moves, and arithmetic of one operand in memory. Other addresses
 * beyond the guest's memory read as ones, and keep nothing, as on a bus without
 * a device.
 */
#include "common/local_apic.h"
#include "emulate/emulate.h"
#include "service.h"

#define ARITHMETIC_FLAGS 0x8D5u /* OF, SF, ZF, AF, PF, CF */

static u32 load(struct vcpu *v, u32 gpa, u32 bytes)
{
    u32 value;

    if ((gpa & -PAGE) == SERVICE_PAGE)
        value = service_read(gpa % PAGE);
    else if ((gpa & -PAGE) == APIC_PAGE)
        value = apic_read(v, gpa % PAGE & ~3u) >> 8 * (gpa & 3);
    else
        return 0xFFFFFFFFu;
    return bytes == 4 ? value : value & ((1u << 8 * bytes) - 1);
}

static void store(struct vcpu *v, u32 gpa, u32 bytes, u32 value)
{
    if ((gpa & -PAGE) == APIC_PAGE && bytes == 4)
        apic_write(v, gpa % PAGE, value);
    else if ((gpa & -PAGE) == SERVICE_PAGE && bytes == 4)
        service_write(v, gpa % PAGE, value);
}

/* The processor's own arithmetic, with its flags; number as in opcode 81. */
static u32 arithmetic(struct vcpu *v, u32 number, u32 a, u32 b)
{
    u32 flags, *own = &v->frame.flags;

    switch (number) {
    case 1:
        a |= b;
        break;
    case 4:
        a &= b;
        break;
    case 6:
        a ^= b;
        break;
    case 0:
        __asm__("add %2, %0\n\tpushf\n\tpop %1"
                : "+r"(a), "=&r"(flags)
                : "r"(b));
        *own = (*own & ~ARITHMETIC_FLAGS) | (flags & ARITHMETIC_FLAGS);
        return a;
    default: /* SUB, CMP */
        __asm__("sub %2, %0\n\tpushf\n\tpop %1"
                : "+r"(a), "=&r"(flags)
                : "r"(b));
        *own = (*own & ~ARITHMETIC_FLAGS) | (flags & ARITHMETIC_FLAGS);
        return a;
    }
    __asm__("test %1, %1\n\tpushf\n\tpop %0" : "=r"(flags) : "r"(a));
    *own = (*own & ~ARITHMETIC_FLAGS) | (flags & ARITHMETIC_FLAGS);
    return a;
}

static bool group_1(struct vcpu *v, const struct instruction *i, u32 gpa)
{
    u32 number = reg_field(i), value;

    if (number == 2 || number == 3) /* ADC, SBB */
        return false;
    value = arithmetic(v, number, load(v, gpa, 4), i->immediate);
    if (number != 7)
        store(v, gpa, 4, value);
    return true;
}

static bool by_opcode(struct vcpu *v, const struct instruction *i, u32 gpa)
{
    u32 number = reg_field(i), value;

    switch (i->opcode) {
    case 0x88:
    case 0x89:
        value = i->opcode & 1 ? i->operand : 1;
        store(v, gpa, value, register_read(v, number, value));
        return true;
    case 0x8A:
    case 0x8B:
        value = i->opcode & 1 ? i->operand : 1;
        register_write(v, number, value, load(v, gpa, value));
        return true;
    case 0xA0:
    case 0xA1:
        value = i->opcode & 1 ? i->operand : 1;
        register_write(v, 0, value, load(v, gpa, value));
        return true;
    case 0xA3:
        store(v, gpa, i->operand, v->frame.eax);
        return true;
    case 0xC7:
        store(v, gpa, i->operand, i->immediate);
        return true;
    case 0x87: /* XCHG */
        value = load(v, gpa, 4);
        store(v, gpa, 4, *general_register(v, number));
        *general_register(v, number) = value;
        return true;
    case 0x81:
    case 0x83:
        return group_1(v, i, gpa);
    case 0x85: /* TEST */
        arithmetic(v, 4, load(v, gpa, 4), *general_register(v, number));
        return true;
    case 0xF6:
    case 0xF7:
        if (number > 1)
            return false;
        arithmetic(v, 4, load(v, gpa, i->opcode & 1 ? 4 : 1), i->immediate);
        return true;
    case 0x39: /* CMP */
    case 0x3B:
        value = load(v, gpa, 4);
        if (i->opcode == 0x39)
            arithmetic(v, 7, value, *general_register(v, number));
        else
            arithmetic(v, 7, *general_register(v, number), value);
        return true;
    case TWO_BYTES | 0xB6:
    case TWO_BYTES | 0xB7:
        value = load(v, gpa, i->opcode & 1 ? 2 : 1);
        register_write(v, number, i->operand, value);
        return true;
    default:
        return false;
    }
}

/* False: an instruction that is not emulated. */
bool emulate_memory(struct vcpu *v, u32 gpa, u32 address)
{
    struct instruction i;

    if (!decode(v, &i) || !i.has_memory || i.repeats ||
        (i.address ^ address) & -(u32)PAGE || !by_opcode(v, &i, gpa))
        return false;
    v->frame.eip += i.length;
    return true;
}
