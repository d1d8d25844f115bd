/*
 * interprocessor.c: what a virtual processor sends to others by its local
 * APIC: interrupts, INIT and STARTUP [intel-sdm]. A processor on another core
 * gets it by mail.
 */
#include "visor.h"

enum { FIXED, LOWEST, NMI = 4, INIT, STARTUP };

#define LOGICAL_DESTINATION 0x800u
#define SHORTHAND 0xC0000u
#define DEASSERT_LEVEL 0x8000u
#define ASSERTED 0x4000u

/* A command that has reached its processor, on this core. */
void interprocessor_take(struct vcpu *v, u32 command)
{
    sti_is_short = 0;
    switch (command >> 8 & 7) {
    case FIXED:
    case LOWEST:
        apic_request(v, command & 0xFF);
        break;
    case NMI:
        v->nmi = true;
        break;
    case INIT:
        if ((command & DEASSERT_LEVEL) && !(command & ASSERTED))
            return;
        v->state = WAITS_FOR_STARTUP;
        break;
    case STARTUP:
        if (v->state == WAITS_FOR_STARTUP)
            vcpu_start(v, command & 0xFF);
    }
}

static void send(u32 id, u32 command)
{
    u32 core = id / options.per_core;

    if (core == core_index)
        interprocessor_take(&vcpus[id % options.per_core], command);
    else
        mail_command(core, id % options.per_core, command);
}

/* In the flat model, a processor's logical bit is that of its number. */
static bool is_meant(u32 id, u32 destination, u32 command)
{
    if (!(command & LOGICAL_DESTINATION))
        return destination == 0xFF || destination == id;
    return id < 8 && (destination >> id & 1);
}

void interprocessor(struct vcpu *v, u32 command, u32 destination)
{
    u32 count = options.core_count * options.per_core;
    u32 shorthand = (command & SHORTHAND) >> 18;

    for (u32 id = 0; id < count; id++)
        if (shorthand == 0   ? is_meant(id, destination, command)
            : shorthand == 1 ? id == v->id
                             : shorthand == 2 || id != v->id)
            send(id, command & 0xFFFF);
}
