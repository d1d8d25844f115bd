/*
 * vcpu.c: the virtual processors of this core: start, turns, and what one
 * gets before it goes on.
 */
#include "visor.h"
#include "common/processor.h"

#define FLOOD 16u /* rounds of mails without an instruction of the guest */

struct vcpu vcpus[VCPUS_MAX];
struct vcpu *current;
static struct vcpu *x87_owner;

void vcpus_init(void)
{
    for (u32 n = 0; n < options.per_core; n++) {
        struct vcpu *v = &vcpus[n];

        v->id = core_index * options.per_core + n;
        v->cr0 = CR0_ET;
        v->idt.limit = 0x3FF;
        apic_reset(v);
        v->frame.flags = 2;
    }
    current = &vcpus[0];
    gdt_load(current);
    shadow_use_root(current);
}

/* STARTUP: 16-bit code at the vector's page. */
void vcpu_start(struct vcpu *v, u32 startup_vector)
{
    v->frame = (struct frame){
        .cs = startup_vector << 8, .flags = FLAG_VM | 2, .ss = 0};
    v->cr0 = CR0_ET;
    v->cr3 = v->cr4 = 0;
    v->gdt.base = 0;
    v->gdt.limit = 0xFFFF;
    v->state = RUNS;
}

static bool can_run(struct vcpu *v)
{
    if (v->state == HALTED &&
        (v->nmi || ((v->frame.flags & FLAG_IF) && apic_pending(v) >= 0)))
        v->state = RUNS;
    return v->state == RUNS;
}

/* The x87's registers are kept in memory while another processor has them. */
static void take_x87(struct vcpu *v)
{
    if (x87_owner == v)
        return;
    __asm__ volatile("clts");
    if (x87_owner)
        __asm__ volatile("fnsave %0" : "=m"(x87_owner->x87));
    if (v->x87_used)
        __asm__ volatile("frstor %0" : : "m"(v->x87));
    else
        __asm__ volatile("fninit");
    v->x87_used = true;
    x87_owner = v;
}

/* Real TS follows the guest's, so that its x87 traps when it should. */
void follow_ts(const struct vcpu *v)
{
    u32 real;

    __asm__ volatile("mov %%cr0, %0" : "=r"(real));
    real = (real & ~CR0_TS) | (v->cr0 & CR0_TS);
    __asm__ volatile("mov %0, %%cr0" : : "r"(real));
}

static void switch_to(struct vcpu *v)
{
    hot_close();
    current = v;
    gdt_load(v);
    shadow_use_root(v);
    take_x87(v);
    follow_ts(v);
}

/* The next one in turn that can run, or none. */
static struct vcpu *next_vcpu(void)
{
    u32 own = (u32)(current - vcpus);

    for (u32 n = 1; n <= options.per_core; n++) {
        struct vcpu *v = &vcpus[(own + n) % options.per_core];

        if (can_run(v))
            return v;
    }
    return NULL;
}

bool others_wait(void)
{
    for (u32 n = 0; n < options.per_core; n++)
        if (&vcpus[n] != current && can_run(&vcpus[n]))
            return true;
    return false;
}

static void interrupt(struct vcpu *v)
{
    s32 vector;

    if (v->steps)
        return;
    if (v->nmi) {
        v->nmi = false;
        reflect(v, VECTOR_NMI, NULL);
        return;
    }
    if (!(v->frame.flags & FLAG_IF))
        return;
    vector = apic_pending(v);
    if (vector < 0)
        return;
    apic_accept(v, (u32)vector);
    counts.interrupts++;
    reflect(v, (u32)vector, NULL);
}

/* Until an interrupt or a mail. */
static void sleep(void)
{
    hot_close();
    window_close(); /* no instruction of this core is next */
    console_flush();
    mail_sleeps(!timer_set(false));
    idle();
    mail_sleeps(false);
}

/* Whatever the hypervisor has done, this is the last before the guest. Mails may
 * come faster than they are served, as those of a core that prints; then nobody
 * waits for the guest's next instruction. */
void before_guest(void)
{
    for (u32 round = 0;; round++) {
        if (mail_waits)
            mails_serve(FOR_NOTHING);
        if (round == FLOOD)
            window_close();
        settle();
        console_watch();
        if (turn_is_over() || !can_run(current)) {
            struct vcpu *v = next_vcpu();

            if (v && v != current)
                switch_to(v);
            if (!v) {
                sleep();
                continue;
            }
        }
        interrupt(current);
        window_watch();
        sti_is_short = !current->nmi && apic_pending(current) < 0;
        timer_set(true);
        if (!mail_waits)
            return;
    }
}
