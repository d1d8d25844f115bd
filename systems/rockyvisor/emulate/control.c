/* control.c: control registers, tables, and the machine's own registers. */
#include "emulate/emulate.h"
#include "common/processor.h"

#define MSR_TIME_STAMP 0x10
#define MSR_MACHINE_CHECK_ADDRESS 0
#define MSR_MACHINE_CHECK_TYPE 1
#define CR4_PAE 0x20u
#define FAR_JUMP 0xEA

u32 control_read(const struct vcpu *v, u32 number)
{
    u32 values[8] = {v->cr0, 0, v->cr2, v->cr3, v->cr4};

    return values[number];
}

/* 16-bit code has switched protection on: the far jump that follows leads to
 * ring 1. */
static bool leave_16_bits(struct vcpu *v)
{
    struct instruction i;
    u32 at, target = 0;
    u16 selector = 0;

    v->frame.eip += v->width;
    if (!decode(v, &i) || i.opcode != FAR_JUMP)
        give_up("16-bit code goes on in protected mode by something else "
                "than a far jump, at",
                (v->frame.cs << 4) + v->frame.eip);
    at = (v->frame.cs << 4) + v->frame.eip + i.length;
    if (!guest_read(v, at, &target, i.operand) ||
        !guest_read(v, at + i.operand, &selector, 2))
        give_up("the far jump of 16-bit code cannot be read, at", at);
    gdt_load(v);
    v->frame.flags &= ~(u32)FLAG_VM;
    v->frame.eip = target;
    v->frame.cs = (selector & 0xFFF8u) | 1;
    v->frame.ss = 0; /* until it is loaded, nothing is pushed */
    v->frame.ss = START_DATA | 1;
    v->frame.ds = v->frame.es = v->frame.fs = v->frame.gs = 0;
    v->jumped = true;
    return true;
}

bool control_write(struct vcpu *v, u32 number, u32 value)
{
    u32 changed;

    switch (number) {
    case 0:
        changed = v->cr0 ^ value;
        v->cr0 = value | 0x10;
        follow_ts(v);
        if (changed & CR0_PG)
            shadow_use_root(v);
        if ((v->frame.flags & FLAG_VM) && (value & CR0_PE))
            return leave_16_bits(v);
        return true;
    case 2:
        v->cr2 = value;
        return true;
    case 3:
        v->cr3 = value & -PAGE;
        if (v->cr0 & CR0_PG)
            shadow_use_root(v);
        return true;
    case 4:
        if (value & CR4_PAE)
            give_up("the guest switches PAE on, which this processor has not, "
                    "at",
                    v->frame.eip);
        v->cr4 = value;
        return true;
    default:
        return false;
    }
}

bool model_register(struct vcpu *v, bool write)
{
    struct frame *f = &v->frame;
    u64 value = 0;

    switch (f->ecx) {
    case MSR_TIME_STAMP:
        value = read_tsc();
        break;
    case MSR_MACHINE_CHECK_ADDRESS:
    case MSR_MACHINE_CHECK_TYPE:
        break;
    default:
        return false;
    }
    if (write) /* the cores' time stamps stay equal */
        return true;
    f->eax = (u32)value;
    f->edx = (u32)(value >> 32);
    return true;
}

static bool load_table(struct vcpu *v, u32 address, u32 operand,
                       struct table_register *to)
{
    u16 limit;
    u32 base;

    if (!guest_read(v, address, &limit, 2) ||
        !guest_read(v, address + 2, &base, 4))
        return false;
    to->limit = limit;
    to->base = operand == 2 ? base & 0xFFFFFF : base;
    return true;
}

static bool store_table(struct vcpu *v, u32 address,
                        const struct table_register *from)
{
    return guest_write(v, address, &from->limit, 2) &&
           guest_write(v, address + 2, &from->base, 4);
}

/* A descriptor of the guest's own table, by its selector. */
static bool descriptor(struct vcpu *v, u32 selector, u32 *d)
{
    return (selector & ~3u) && !(selector & 4) &&
           (selector | 7) <= v->gdt.limit &&
           guest_read(v, v->gdt.base + (selector & ~7u), d, 8);
}

static u32 operand_16(struct vcpu *v, const struct instruction *i)
{
    u16 value = 0;

    if (!i->has_memory)
        return register_read(v, i->modrm & 7, 2);
    guest_read(v, i->address, &value, 2);
    return value;
}

static bool store_16(struct vcpu *v, const struct instruction *i, u32 value)
{
    if (i->has_memory)
        return guest_write(v, i->address, &value, 2);
    register_write(v, i->modrm & 7, i->operand, value);
    return true;
}

/* LTR, LLDT; and what stands for SLDT, STR, VERR and VERW. */
static bool task_instruction(struct vcpu *v, const struct instruction *i)
{
    u32 d[2], selector;

    switch (reg_field(i)) {
    case 0: /* SLDT */
        return store_16(v, i, 0);
    case 1: /* STR */
        return store_16(v, i, v->task_selector);
    case 2: /* LLDT: no table of its own */
        return operand_16(v, i) == 0;
    case 3:
        selector = operand_16(v, i);
        if (!descriptor(v, selector, d))
            return false;
        v->task_selector = selector;
        v->task_base = d[0] >> 16 | (d[1] & 0xFF) << 16 | (d[1] & 0xFF000000u);
        return true;
    default: /* VERR, VERW: ZF */
        v->frame.flags &= ~0x40u;
        if (descriptor(v, operand_16(v, i), d))
            v->frame.flags |= 0x40;
        return true;
    }
}

/* What stands for LAR and LSL. */
static bool rights_instruction(struct vcpu *v, const struct instruction *i)
{
    u32 d[2], value;

    v->frame.flags &= ~0x40u;
    if (!descriptor(v, operand_16(v, i), d))
        return true;
    v->frame.flags |= 0x40;
    value = d[1] & 0xF0FF00;
    if ((i->opcode & 0xFF) == OP2_LIMIT) {
        value = (d[0] & 0xFFFF) | (d[1] & 0xF0000);
        if (d[1] & 0x800000)
            value = value << 12 | 0xFFF;
    }
    register_write(v, reg_field(i), i->operand, value);
    return true;
}

/* LGDT, LIDT, LMSW, INVLPG; and what stands for SGDT, SIDT and SMSW. */
static bool system_instruction(struct vcpu *v, struct instruction *i)
{
    switch (reg_field(i)) {
    case 0:
        return store_table(v, i->address, &v->gdt);
    case 1:
        return store_table(v, i->address, &v->idt);
    case 2:
        gdt_keep(v);
        if (!load_table(v, i->address, i->operand, &v->gdt))
            return false;
        if (!(v->frame.flags & FLAG_VM))
            gdt_load(v);
        return true;
    case 3:
        return load_table(v, i->address, i->operand, &v->idt);
    case 4:
        return store_16(v, i, v->cr0);
    case 6:
        v->width = i->length;
        return control_write(v, 0, (v->cr0 & ~0xEu) | (operand_16(v, i) & 0xF));
    case 7:
        shadow_forget(v, i->address);
        return true;
    default:
        return false;
    }
}

bool table_instruction(struct vcpu *v, struct instruction *i)
{
    switch (i->opcode & 0xFF) {
    case 0x00:
    case OP2_TASK:
        return task_instruction(v, i);
    case 0x01:
    case OP2_TABLES:
        return system_instruction(v, i);
    case OP2_RIGHTS:
    case OP2_LIMIT:
        return rights_instruction(v, i);
    default:
        return false;
    }
}
