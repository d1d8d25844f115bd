/*
 * privileged.c: the instructions that trap in ring 1 because they are ring
 * 0's, and those that stand in a patched guest for instructions that would
 * not trap (README.md).
 */
#include "emulate/emulate.h"
#include "common/processor.h"

#define PORT_DX 8   /* bit of IN's and OUT's opcodes */
#define INT_BYTES 2 /* of INT n */

static void ports(struct vcpu *v, const struct instruction *i)
{
    u32 bytes = i->opcode & 1 ? i->operand : 1;
    u32 port = i->opcode & PORT_DX ? v->frame.edx & 0xFFFF : i->immediate & 255;

    if (i->opcode & 2)
        port_write(v, port, bytes, register_read(v, 0, bytes));
    else
        register_write(v, 0, bytes, port_read(v, port, bytes));
}

static void set_flags(struct vcpu *v, u32 flags, u32 mask)
{
    mask &= ~(u32)(FLAG_IOPL | FLAG_VM | FLAG_RF | (v->steps ? FLAG_TF : 0));
    v->frame.flags = (v->frame.flags & ~mask) | (flags & mask) | 2;
}

/* What stands for POPF; and POP SS, whose selector is made ring 1's. */
static bool pop(struct vcpu *v, const struct instruction *i)
{
    u32 value = 0;

    if (!guest_read(v, v->frame.esp, &value, i->operand))
        return false;
    v->frame.esp += i->operand;
    if (i->opcode == OP_POP_SS)
        v->frame.ss = (value & 0xFFF8) | 1;
    else
        set_flags(v, value, i->operand == 2 ? 0xFFFF : 0x3F7FFF);
    return true;
}

/* What stands for CPUID: the core's, without what a guest has not. */
static void identify(struct vcpu *v)
{
    struct frame *f = &v->frame;
    u32 leaf = f->eax;

    __asm__ volatile("cpuid"
                     : "=a"(f->eax), "=b"(f->ebx), "=c"(f->ecx), "=d"(f->edx)
                     : "a"(leaf));
    if (leaf == 1) {
        f->edx &= ~(u32)(ID_VME | ID_DE | ID_PSE | ID_MCE);
        f->ebx = (f->ebx & 0xFFFFFF) | v->id << 24;
    }
}

/* POP SS and MOV to SS in ring 1 with ring 0's selector. */
static bool load_stack_segment(struct vcpu *v, const struct instruction *i)
{
    u16 value = (u16)register_read(v, i->modrm & 7, 2);

    if (reg_field(i) != 2)
        return false;
    if (i->has_memory && !guest_read(v, i->address, &value, 2))
        return false;
    v->frame.ss = (value & 0xFFF8) | 1;
    return true;
}

/* INT n traps since the hypervisor's own gates are closed. */
static bool raise(struct vcpu *v)
{
    u32 vector = v->frame.error >> 3, gate[2];

    if (in_program(v) && (vector * 8 + 7 > v->idt.limit ||
                          !guest_read(v, v->idt.base + vector * 8, gate, 8) ||
                          (gate[1] & GATE_RING) != GATE_RING))
        return false;
    v->frame.eip += INT_BYTES;
    reflect(v, vector, NULL);
    return true;
}

/* A guest that turns interrupts off again and again has no ticks. */
static void watch_short_traps(void)
{
    if (short_left > 0)
        return;
    short_left = SHORT_TRAPS;
    short_traps += SHORT_TRAPS - 1;
    silence_watch();
}

static bool one_byte(struct vcpu *v, struct instruction *i)
{
    switch (i->opcode) {
    case OP_CLI:
        watch_short_traps();
        v->frame.flags &= ~(u32)FLAG_IF;
        return true;
    case OP_STI: /* no interrupt between it and a HLT that follows */
        watch_short_traps();
        v->frame.flags |= FLAG_IF;
        if (i->bytes[i->length] == OP_HLT) {
            i->length++;
            v->state = HALTED;
        }
        return true;
    case OP_HLT:
        v->state = HALTED;
        return true;
    case OP_POPF:
    case OP_POP_SS:
        return pop(v, i);
    case OP_MOV_SEGMENT:
        return load_stack_segment(v, i);
    default:
        if (i->opcode < 0xE4 || i->opcode > 0xEF ||
            (i->opcode > 0xE7 && i->opcode < 0xEC) || i->repeats)
            return false;
        ports(v, i);
        return true;
    }
}

static bool two_bytes(struct vcpu *v, struct instruction *i)
{
    switch (i->opcode & 0xFF) {
    case 0x06: /* CLTS */
        control_write(v, 0, v->cr0 & ~CR0_TS);
        return true;
    case 0x08: /* INVD and WBINVD: the guest's memory is coherent */
    case 0x09:
        return true;
    case 0x20:
        *general_register(v, i->modrm & 7) = control_read(v, reg_field(i));
        return true;
    case 0x22:
        return control_write(v, reg_field(i),
                             *general_register(v, i->modrm & 7));
    case 0x21:
        *general_register(v, i->modrm & 7) = v->dr[reg_field(i)];
        return true;
    case 0x23:
        v->dr[reg_field(i)] = *general_register(v, i->modrm & 7);
        return true;
    case 0x30:
    case 0x32:
        return model_register(v, (i->opcode & 0xFF) == 0x30);
    case OP2_PAUSE:
        turn_give_up();
        silence_watch();
        return true;
    case OP2_CPUID:
        identify(v);
        return true;
    default:
        return table_instruction(v, i);
    }
}

static u32 cause(const struct instruction *i)
{
    if (i->opcode == (TWO_BYTES | 0x01))
        return CAUSE_TABLES + reg_field(i);
    if (i->opcode == (TWO_BYTES | 0x22))
        return CAUSE_CONTROL + reg_field(i);
    return (i->opcode & TWO_BYTES ? CAUSE_TWO_BYTES : 0) + (i->opcode & 0xFF);
}

static bool execute(struct vcpu *v, struct instruction *i)
{
    bool done;

    histogram_cause(cause(i));
    if (i->opcode == OP_IRET || i->opcode == OP_IRET_REPLACED)
        return interrupt_return(v, i->operand);
    v->width = i->length;
    if (i->opcode & TWO_BYTES)
        done = two_bytes(v, i);
    else
        done = one_byte(v, i);
    if (!done)
        return false;
    if (!v->jumped)
        v->frame.eip += i->length;
    v->jumped = false;
    return true;
}

/* After #GP and #UD; false: the exception is the guest's own. */
bool emulate_privileged(struct vcpu *v)
{
    struct instruction i;

    if (v->frame.vector == VECTOR_PROTECTION && (v->frame.error & 2))
        return raise(v);
    if (in_program(v) || !decode(v, &i))
        return false;
    return execute(v, &i);
}

/* A call is as if an instruction of INT's length stood where INT does; false: its
 * operand is not there. */
bool hypercall(struct vcpu *v)
{
    static const u16 opcodes[] = {
        [HYPERCALL_CLI - HYPERCALL_FIRST] = OP_CLI,
        [HYPERCALL_STI - HYPERCALL_FIRST] = OP_STI,
        [HYPERCALL_SAFE_HALT - HYPERCALL_FIRST] = OP_HLT,
        [HYPERCALL_IRET - HYPERCALL_FIRST] = OP_IRET,
        [HYPERCALL_POPF - HYPERCALL_FIRST] = OP_POPF,
        [HYPERCALL_CPUID - HYPERCALL_FIRST] = TWO_BYTES | OP2_CPUID,
        [HYPERCALL_PAUSE - HYPERCALL_FIRST] = TWO_BYTES | OP2_PAUSE,
    };
    struct instruction i = {
        .opcode = opcodes[v->frame.vector - HYPERCALL_FIRST],
        .length = INT_BYTES,
        .operand = 4,
    };

    v->frame.eip -= INT_BYTES;
    if (v->frame.vector == HYPERCALL_SAFE_HALT)
        v->frame.flags |= FLAG_IF;
    return execute(v, &i);
}
