/*
 * trap.c: what each trap from the guest is, and what may happen while the
 * hypervisor itself runs.
 */
#include "visor.h"
#include "common/processor.h"

#define OFFSET_IS(field, offset) \
    _Static_assert(offsetof(struct vcpu, field) == (offset), #field)

OFFSET_IS(frame, FRAME);
OFFSET_IS(frame.flags, FRAME_FLAGS);
OFFSET_IS(frame.v86_es, FRAME_END);
OFFSET_IS(state, FRAME_V86_END);

enum {
    DEBUG = 1,
    BREAKPOINT = 3,
    OVERFLOW = 4,
    INVALID = 6,
    NO_X87 = 7,
    SEGMENT_ABSENT = 11,
    ALIGNMENT = 17,
    EXCEPTIONS = 32
};

/* What a trap from ring 0 saves. */
struct inner {
    u32 es, ds, edi, esi, ebp, esp, ebx, edx, ecx, eax;
    u32 vector, error, eip, cs, flags;
};

extern const char leave_begin[], leave_end[], copy_begin[], copy_failed[];
extern const char short_leave[], short_end[];
extern const char idle_begin[], idle_end[];

struct counts counts;
u32 short_traps, sti_is_short;
s32 short_left = SHORT_TRAPS;
static bool copy_is_bad;
static u32 copy_address, copy_error; /* of the last failed copy */

static bool is_between(u32 eip, const char *begin, const char *end)
{
    return eip >= (u32)begin && eip < (u32)end;
}

static void page_fault(struct vcpu *v)
{
    u32 address = read_cr2(), gpa;

    if (address >= VISOR_BASE) { /* there is nothing, for the guest */
        reflect_page_fault(v, address, v->frame.error & ~1u);
        return;
    }
    switch (shadow_fault(v, address, &v->frame.error, &gpa)) {
    case DONE:
        counts.hidden++;
        histogram_cause(CAUSE_HIDDEN);
        break;
    case GUEST_FAULT:
        counts.reflected++;
        histogram_cause(CAUSE_FAULT);
        reflect_page_fault(v, address, v->frame.error);
        break;
    case NO_MEMORY:
        histogram_cause(CAUSE_DEVICE);
        if (!emulate_memory(v, gpa, address))
            give_up("the guest accesses memory that is not there by an "
                    "instruction that is not emulated, at",
                    v->frame.eip);
    }
}

static bool is_hypercall(u32 vector)
{
    return vector >= HYPERCALL_FIRST && vector <= HYPERCALL_LAST;
}

/* Whether the trap is done with: its instruction or call is emulated, or the guest has got
 * the page fault of an operand that is not there. */
static bool is_emulated(struct vcpu *v)
{
    copy_is_bad = false;
    if (is_hypercall(v->frame.vector) ? hypercall(v) : emulate_privileged(v))
        counts.emulated++;
    else if (copy_is_bad)
        reflect_copy_fault(v);
    else
        return false;
    return true;
}

static void exception(struct vcpu *v)
{
    struct frame *f = &v->frame;
    bool coded = 0x27D00 >> f->vector & 1;

    switch (f->vector) {
    case VECTOR_PAGE_FAULT:
        page_fault(v);
        return;
    case DEBUG:
        if (!v->steps)
            break;
        histogram_cause(CAUSE_STEP);
        steps_hide(v);
        steps_end(v);
        window_close();
        return;
    case VECTOR_PROTECTION:
        if (segment_missed(v, f->error))
            return;
        /* fall through */
    case INVALID:
        if (is_emulated(v))
            return;
        break;
    case SEGMENT_ABSENT:
        if (segment_missed(v, f->error))
            return;
        break;
    case ALIGNMENT: /* never in ring 1: CR0.AM is the hypervisor's, and 0 */
        return;
    }
    reflect(v, f->vector, coded ? &f->error : NULL);
}

/* The next one may come at once, and not only when the guest goes on. */
static void take_nmi(void)
{
    mail_waits = 1;
    __asm__ volatile("pushf\n\t"
                     "push %%cs\n\t"
                     "push $1f\n\t"
                     "iret\n"
                     "1:"
                     :
                     :
                     : "memory");
}

/* Nobody looks for mails behind this place. */
static void mail_on_the_way_out(void)
{
    mails_serve(FOR_NOTHING);
    window_watch();
    if (current->nmi || apic_pending(current) >= 0)
        timer_kick();
}

/* To another address space and back the tables are loaded, which empties the TLB: so
 * does the published hypervisor, on the way in and on the way out. */
static void change_space(void)
{
    if (!options.is_apart)
        return;
    flush_tlb();
    counts.tables_loaded++;
}

/* A trap of the guest, whose state is in its virtual processor's frame. */
void trap(void)
{
    struct vcpu *v = current;
    u32 vector = v->frame.vector;

    counts.traps++;
    change_space();
    histogram_begin(vector == VECTOR_NMI     ? CAUSE_MAIL
                    : vector == VECTOR_TIMER ? CAUSE_TIMER
                                             : CAUSE_CALL);
    if (vector == VECTOR_NMI)
        take_nmi();
    else if (vector == VECTOR_TIMER)
        timer_fired();
    else if (is_hypercall(vector))
        is_emulated(v);
    else if (vector < EXCEPTIONS)
        exception(v);
    else if (vector != VECTOR_SPURIOUS)
        reflect(v, vector, NULL);
    histogram_end();
    change_space();
}

/* A segment register that is loaded on the way out has a selector that its
 * guest has since taken out of its table. */
static void segment_is_gone(struct inner *inner)
{
    u32 *popped = (u32 *)(inner + 1);

    if (!is_between(inner->eip, leave_begin, leave_end) || !(*popped & ~3u))
        give_up("a segment of the guest, error code", inner->error);
    *popped = 0;
}

/* IRET on the way out has met a segment that is gone, or an address behind the end
 * of one. It was pushed over the frame, but the guest's registers were loaded. */
void return_failed(const struct inner *inner)
{
    const struct inner at = *inner;
    struct frame *f = &current->frame;

    memcpy(&f->edi, &at.edi, 8 * sizeof(u32));
    f->ds = at.ds;
    f->es = at.es;
    __asm__("mov %%fs, %w0\n\t"
            "mov %%gs, %w1"
            : "=r"(f->fs), "=r"(f->gs));
    reflect(current, at.vector, &at.error);
}

/* A trap while the hypervisor runs. */
void inner_trap(struct inner *inner)
{
    u32 gpa;

    switch (inner->vector) {
    case VECTOR_NMI:
        mail_waits = 1;
        if (is_between(inner->eip, idle_begin, idle_end))
            inner->eip = (u32)idle_end;
        if (is_between(inner->eip, leave_begin, leave_end) ||
            is_between(inner->eip, short_leave, short_end))
            mail_on_the_way_out();
        return;
    case VECTOR_TIMER:
        timer_fired();
        if (is_between(inner->eip, idle_begin, idle_end))
            inner->eip = (u32)idle_end;
        return;
    case SEGMENT_ABSENT:
    case VECTOR_PROTECTION:
        segment_is_gone(inner);
        return;
    case VECTOR_PAGE_FAULT:
        copy_address = read_cr2();
        copy_error = inner->error;
        if (!is_between(inner->eip, copy_begin, copy_failed))
            give_up("a page fault of the hypervisor at", inner->eip);
        if (shadow_fault(current, copy_address, &copy_error, &gpa) != DONE)
            inner->eip = (u32)copy_failed;
        return;
    default:
        give_up("an exception of the hypervisor at", inner->eip);
    }
}

/* Whether the guest's addresses hold what is asked for; if not, the guest has
 * got the page fault. */
static bool copy(struct vcpu *v, void *to, const void *from, u32 address,
                 u32 bytes)
{
    if (address >= VISOR_BASE || bytes > VISOR_BASE - address) {
        copy_address = address;
        copy_error = 0;
        copy_is_bad = true;
        return false;
    }
    if (v == current && copy_or_fail(to, from, bytes) == 0)
        return true;
    copy_is_bad = true;
    return false;
}

bool guest_read(struct vcpu *v, u32 address, void *to, u32 bytes)
{
    return copy(v, to, (const void *)address, address, bytes);
}

bool guest_write(struct vcpu *v, u32 address, const void *from, u32 bytes)
{
    return copy(v, (void *)address, from, address, bytes);
}

/* The last failed copy, as the guest's own fault. */
void reflect_copy_fault(struct vcpu *v)
{
    reflect_page_fault(v, copy_address, copy_error);
}
