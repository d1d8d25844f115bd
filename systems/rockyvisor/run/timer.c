/*
 * timer.c: the core's timer, which stands for those of the virtual local
 * APICs and ends a turn when another virtual processor waits.
 */
#include "visor.h"
#include "common/local_apic.h"
#include "common/processor.h"
#include "scc/memory_map.h"

#define NMI 0x400u
#define LONGEST 0x7FFFFFFFu /* the register has 32 bits */
#define SLICE 533000u       /* cycles of a turn: a millisecond at 533 MHz */

static u32 base;
static u64 armed, turn_end; /* 0: none */

void timer_init(void)
{
    base = device_page(SCC_APIC_BASE);
    write_register(base + APIC_SPURIOUS, APIC_ENABLED | VECTOR_SPURIOUS);
    write_register(base + APIC_LVT_LINT0, APIC_MASKED);
    write_register(base + APIC_LVT_LINT1, NMI); /* mails */
    write_register(base + APIC_DIVIDE, APIC_BY_1);
    write_register(base + APIC_LVT_TIMER, VECTOR_TIMER);
}

bool turn_is_over(void)
{
    if (!turn_end || turn_end > read_tsc())
        return false;
    turn_end = 0;
    return true;
}

/* The guest waits for another processor, which may be of this core. */
void turn_give_up(void)
{
    if (others_wait())
        turn_end = 1;
}

/* Called on the way out, where the guest runs, and before the core idles. Returns
 * whether a virtual processor's timer runs. */
bool timer_set(bool runs)
{
    u64 due = silence_due(runs), now;
    bool any = false;

    for (u32 n = 0; n < options.per_core; n++) {
        u64 deadline = vcpus[n].apic.deadline;

        any |= deadline != 0;
        if (deadline && (!due || deadline < due))
            due = deadline;
    }
    if (!others_wait())
        turn_end = 0;
    else if (!turn_end)
        turn_end = read_tsc() + SLICE;
    if (turn_end && (!due || turn_end < due))
        due = turn_end;
    if (due == armed)
        return any;
    armed = due;
    now = read_tsc();
    if (!due)
        write_register(base + APIC_INITIAL_COUNT, 0);
    else if (due <= now)
        write_register(base + APIC_INITIAL_COUNT, 1);
    else
        write_register(base + APIC_INITIAL_COUNT,
                       due - now > LONGEST ? LONGEST : (u32)(due - now));
    return any;
}

/* So many cycles, or until a mail. Who waits sleeps, for loops that poll take the
 * mesh from others, and a simulation's time. */
void rest(u32 cycles)
{
    armed = 1;
    write_register(base + APIC_INITIAL_COUNT, cycles);
    idle();
}

/* An interrupt as soon as the guest takes one. */
void timer_kick(void)
{
    armed = 1;
    write_register(base + APIC_INITIAL_COUNT, 1);
}

void timer_fired(void)
{
    armed = 0;
    write_register(base + APIC_END_OF_INTERRUPT, 0);
    for (u32 n = 0; n < options.per_core; n++)
        apic_timer(&vcpus[n]);
    silence_watch();
}
