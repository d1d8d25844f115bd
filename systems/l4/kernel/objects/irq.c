/*
 * irq.c: interrupts and notifications: they count, and one message says how
 * many came since the last.
 */
#include "kernel/kernel.h"
#include "common/processor.h"
#include "scc/registers.h"

struct irq *pins[2]; /* LINT0 and LINT1 */
static u32 own_pins; /* address of this core's GLCFG */

void irq_init(u32 own_tile, u32 core)
{
    own_pins = own_tile + SCC_CRB_GLCFG(core % 2);
}

void irq_trigger(struct irq *irq)
{
    struct thread *t = irq->thread;

    irq->count++;
    if (!t || !t->task || irq->queued)
        return;
    irq->queued = true;
    irq->next = t->first_irq;
    t->first_irq = irq;
    t->pending++;
    if ((t->state & ~TIMED) == RECEIVING) {
        timer_forget(t);
        ipc_receive(t, 0);
    }
}

/* LINT0 is the bit INTR of this core's GLCFG, which whoever interrupts sets.
 * The bit is cleared first, so that setting it again is an interrupt again. */
void irq_pin(u32 pin)
{
    u32 now = (u32)read_tsc(), pins_now;

    if (pin == 0) {
        pins_now = read_register(own_pins);
        write_register(own_pins, pins_now & ~(u32)SCC_CRB_GLCFG_INTR);
    }
    if (pins[pin]) {
        pins[pin]->time = now;
        irq_trigger(pins[pin]);
    }
}

static void forget(struct irq *irq)
{
    struct irq **at;

    if (!irq->queued)
        return;
    at = &irq->thread->first_irq;
    while (*at != irq)
        at = &(*at)->next;
    *at = irq->next;
    irq->thread->pending--;
    irq->queued = false;
}

static void unbind(struct irq *irq)
{
    forget(irq);
    if (irq->thread)
        object_drop(&irq->thread->object);
    irq->thread = NULL;
}

void irq_free(struct irq *irq)
{
    unbind(irq);
    for (u32 n = 0; n < 2; n++)
        if (pins[n] == irq)
            pins[n] = NULL;
}

s32 irq_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    struct irq *irq = OBJECT(irq, slot->object);
    struct slot *to;

    switch (operation) {
    case L4_IRQ_BIND:
        to = slot_of(t, t->ebx, L4_KIND_THREAD, L4_RIGHT_CONTROL);
        if (!to || !(slot->rights & L4_RIGHT_CONTROL))
            return L4_NO_CAPABILITY;
        object_hold(to->object);
        unbind(irq);
        irq->thread = OBJECT(thread, to->object);
        irq->word = t->esi;
        return L4_OK;
    case L4_IRQ_TRIGGER:
        irq->time = (u32)read_tsc();
        irq_trigger(irq);
        return L4_OK;
    default:
        return L4_BAD_ARGUMENT;
    }
}
