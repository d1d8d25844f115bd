/*
 * timer.c: the local APIC's timer ticks; each tick ends a turn.
 *
 * The timer counts core clocks (533 MHz by default), so a tick is about 1 ms.
 */
#include "common/local_apic.h"
#include "kernel.h"

#define CLOCKS_PER_TICK 533000

uint32_t ticks;

static void apic_write(uint32_t offset, uint32_t value)
{
    *(volatile uint32_t *)(APIC_BASE + offset) = value;
}

void timer_init(void)
{
    apic_write(APIC_SPURIOUS, APIC_ENABLED | SPURIOUS_VECTOR);
    apic_write(APIC_DIVIDE, APIC_BY_1);
    apic_write(APIC_LVT_TIMER, APIC_PERIODIC | TIMER_VECTOR);
    apic_write(APIC_INITIAL_COUNT, CLOCKS_PER_TICK);
}

/* Wakes the processes whose time has come. */
void timer_tick(void)
{
    struct process *process;

    apic_write(APIC_END_OF_INTERRUPT, 0);
    ticks++;
    for (process = processes; process < processes + MAX_PROCESSES; process++) {
        if (process->alarm == ticks) {
            process->alarm = 0;
            signal_send(process, SIGALRM);
        }
        if (process->wake_at == ticks && process->state == WAITING) {
            process->wake_at = 0;
            process->state = READY;
        }
    }
}
