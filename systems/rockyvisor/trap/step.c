/* step.c: the guest executes one instruction, and then traps: TF, of which it
 * must see nothing. */
#include "visor.h"

/* The guest executes one instruction, and then traps. */
void steps_begin(struct vcpu *v)
{
    v->steps_own = v->steps ? v->steps_own : v->frame.flags & FLAG_TF;
    v->steps = true;
    v->step_eip = v->frame.eip;
    v->frame.flags |= FLAG_TF;
}

/* A PUSHF that was stepped has pushed TF, and the POPF to come would set it. Before
 * the PUSHF may stand its prefix, or a CLI or STI that vector.S was emulating
 * when a mail came. */
void steps_hide(struct vcpu *v)
{
    u32 length = v->frame.eip - v->step_eip, flags = 0;
    u8 code[2] = {0};

    if (v->steps_own || length - 1 > 1 ||
        !guest_read(v, v->step_eip, code, length) ||
        code[length - 1] != OP_PUSHF)
        return;
    if (length == 2 && code[0] != OP_OPERAND_SIZE && code[0] != OP_CLI &&
        code[0] != OP_STI)
        return;
    if (guest_read(v, v->frame.esp, &flags, 2)) {
        flags &= ~(u32)FLAG_TF;
        guest_write(v, v->frame.esp, &flags, 2);
    }
}

void steps_end(struct vcpu *v)
{
    if (!v->steps)
        return;
    hot_close();
    v->steps = false;
    v->frame.flags = (v->frame.flags & ~(u32)FLAG_TF) | v->steps_own;
    shadow_written(v);
}
