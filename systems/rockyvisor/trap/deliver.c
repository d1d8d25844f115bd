/*
 * deliver.c: interrupts and exceptions of the guest by its own gates, as the
 * processor would: to ring 1 where the guest means ring 0 [intel-sdm].
 */
#include "visor.h"

#define GATE_TRAP 0x100u /* of a gate's second word; else an interrupt gate */
#define GATE_PRESENT 0x8000u
#define GATE_KIND 0x1E00u
#define GATE_32 0x0E00u
#define TASK_ESP0 4

static bool push(struct vcpu *v, u32 value)
{
    if (!guest_write(v, v->frame.esp - 4, &value, 4))
        return false;
    v->frame.esp -= 4;
    return true;
}

/* The stack of ring 0 in the guest's task state. */
static bool inner_stack(struct vcpu *v)
{
    u32 stack[2];

    if (!guest_read(v, v->task_base + TASK_ESP0, stack, 8))
        return false;
    v->frame.esp = stack[0];
    v->frame.ss = (stack[1] & 0xFFF8) | 1;
    return true;
}

/* Where a gate leads, if its segment and the stack are ones that ring 1 may have. */
static bool enter(struct vcpu *v, const u32 *gate)
{
    v->frame.cs = (gate[0] >> 16 & 0xFFF8) | 1;
    v->frame.eip = (gate[0] & 0xFFFF) | (gate[1] & 0xFFFF0000u);
    return segment_fits(v, v->frame.cs, 1, true) &&
           segment_fits(v, v->frame.ss, 1, false);
}

/* False: the guest cannot take it by its gate and stack, and nothing has changed. */
bool deliver(struct vcpu *v, u32 vector, const u32 *error)
{
    struct frame *f = &v->frame, old;
    u32 gate[2];
    bool outer;

    steps_end(v);
    old = *f;
    outer = (old.cs & 3) == 3;
    if (vector * 8 + 7 > v->idt.limit ||
        !guest_read(v, v->idt.base + vector * 8, gate, 8) ||
        !(gate[1] & GATE_PRESENT) || (gate[1] & GATE_KIND) != GATE_32)
        return false;
    if ((outer && (!inner_stack(v) || !push(v, old.ss) || !push(v, old.esp))) ||
        !push(v, old.flags & ~(u32)FLAG_IOPL) || !push(v, old.cs) ||
        !push(v, old.eip) || (error && !push(v, *error)) || !enter(v, gate)) {
        *f = old;
        return false;
    }
    if (outer)
        segments_for_kernel();
    f->flags &= ~(u32)(FLAG_TF | FLAG_NT | FLAG_RF | FLAG_VM);
    if (!(gate[1] & GATE_TRAP))
        f->flags &= ~(u32)FLAG_IF;
    return true;
}

/* A guest whose tables lead nowhere; so do those that it has not set up yet. */
static void triple_fault(struct vcpu *v, u32 vector)
{
    u32 code;

    print("rockyvisor: the guest cannot take exception ");
    print_decimal(vector);
    print(" (a triple fault) at ");
    print_hex(v->frame.eip);
    for (u32 n = 0; n < 2; n++) {
        if (!guest_read(v, v->frame.eip + n * 4, &code, 4))
            break;
        print(n ? " " : ", code ");
        print_hex(__builtin_bswap32(code));
    }
    print("\n");
    power_off(1);
}

void reflect(struct vcpu *v, u32 vector, const u32 *error)
{
    u32 zero = 0;

    if (v->frame.flags & FLAG_VM)
        give_up("the guest's 16-bit code has an exception at",
                (v->frame.cs << 4) + v->frame.eip);
    if (!deliver(v, vector, error) && !deliver(v, 8, &zero))
        triple_fault(v, vector);
}

void reflect_page_fault(struct vcpu *v, u32 address, u32 error)
{
    v->cr2 = address;
    reflect(v, 14, &error);
}
