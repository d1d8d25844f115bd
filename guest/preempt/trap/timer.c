/*
 * timer.c: the local APIC's timer ticks; each tick ends a turn.
 *
 * The timer counts core clocks (533 MHz by default), so a tick is about 1 ms.
 */
#include "kernel.h"

#define CLOCKS_PER_TICK 533000

#define EOI 0x0B0
#define SPURIOUS 0x0F0
#define LVT_TIMER 0x320
#define INITIAL_COUNT 0x380
#define DIVIDE 0x3E0
#define ENABLE 0x100
#define PERIODIC 0x20000
#define DIVIDE_BY_1 0xB

uint32_t ticks;

static void apic_write(uint32_t offset, uint32_t value)
{
    *(volatile uint32_t *)(APIC_BASE + offset) = value;
}

void timer_init(void)
{
    apic_write(SPURIOUS, ENABLE | SPURIOUS_VECTOR);
    apic_write(DIVIDE, DIVIDE_BY_1);
    apic_write(LVT_TIMER, PERIODIC | TIMER_VECTOR);
    apic_write(INITIAL_COUNT, CLOCKS_PER_TICK);
}

/* Wakes the processes whose time has come. */
void timer_tick(void)
{
    struct process *process;

    apic_write(EOI, 0);
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
