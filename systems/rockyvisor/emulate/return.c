/* return.c: IRET, the guest's way back from an interrupt. */
#include "emulate/emulate.h"

#define OWN_RING 1
#define PROGRAMS 3

/* The first of two selectors that it must not load; 0 is one itself. */
static bool is_refused(struct vcpu *v, u32 code, u32 stack, bool outer,
                       u32 *selector)
{
    *selector = code & 0xFFFC;
    if (!segment_fits(v, code, outer ? PROGRAMS : OWN_RING, true))
        return true;
    *selector = stack & 0xFFFC;
    return outer && ((stack & 3) != PROGRAMS ||
                     !segment_fits(v, stack, PROGRAMS, false));
}

/* A frame that cannot be read is the guest's own page fault; segments that it
 * cannot return to are its protection fault, at the IRET. */
bool interrupt_return(struct vcpu *v, u32 operand)
{
    struct frame *f = &v->frame, old = *f;
    u32 popped[5], keep = FLAG_IOPL | (v->steps ? FLAG_TF : 0), selector;
    bool outer;

    if (operand != 4)
        return false;
    if (!guest_read(v, f->esp, popped, 12)) {
        reflect_copy_fault(v);
        return true;
    }
    if (popped[2] & FLAG_VM)
        give_up("the guest returns to virtual-8086 mode, at", f->eip);
    outer = (popped[1] & 3) == PROGRAMS;
    if (outer && !guest_read(v, f->esp + 12, popped + 3, 8)) {
        reflect_copy_fault(v);
        return true;
    }
    f->eip = popped[0];
    f->cs = (popped[1] & 0xFFFC) | (outer ? PROGRAMS : OWN_RING);
    f->flags = (f->flags & keep) | (popped[2] & ~keep & 0x3F7FFF) | 2;
    f->esp = outer ? popped[3] : f->esp + 12;
    if (outer) {
        f->ss = popped[4] & 0xFFFF;
        segments_for_program(v);
    }
    if (is_refused(v, f->cs, f->ss, outer, &selector)) {
        *f = old;
        segments_for_kernel();
        reflect(v, VECTOR_PROTECTION, &selector);
    }
    return true;
}
