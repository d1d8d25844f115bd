/*
 * apic.c: a virtual processor's local APIC: its registers, the priorities of
 * its interrupts, its timer [intel-sdm]. One tick of the timer is a cycle of
 * the core. What it sends to others is in interprocessor.c.
 */
#include "visor.h"
#include "x86.h"

enum {
    ID = 0x020,
    VERSION = 0x030,
    TASK_PRIORITY = 0x080,
    PROCESSOR_PRIORITY = 0x0A0,
    END_OF_INTERRUPT = 0x0B0,
    LOGICAL = 0x0D0,
    FORMAT = 0x0E0,
    SPURIOUS = 0x0F0,
    SERVICE = 0x100,
    REQUEST = 0x200,
    COMMAND = 0x300,
    COMMAND_HIGH = 0x310,
    LVT_TIMER = 0x320,
    LVT_LINT0 = 0x350,
    LVT_LINT1 = 0x360,
    LVT_ERROR = 0x370,
    INITIAL = 0x380,
    CURRENT = 0x390,
    DIVIDE = 0x3E0
};

#define VERSION_WORD 0x00030014u /* its IDs have 8 bits, as an xAPIC's */
#define MASKED 0x10000u
#define PERIODIC 0x20000u
#define ENABLED 0x100u

void apic_reset(struct vcpu *v)
{
    memset(&v->apic, 0, sizeof(v->apic));
    v->apic.spurious = 0xFF;
    v->apic.format = 0xFFFFFFFFu;
    v->apic.timer = v->apic.lint[0] = v->apic.lint[1] = v->apic.error = MASKED;
}

static s32 highest(const u32 *bits)
{
    for (s32 n = 7; n >= 0; n--)
        if (bits[n])
            return n * 32 + 31 - __builtin_clz(bits[n]);
    return -1;
}

static u32 priority(const struct vcpu *v)
{
    s32 service = highest(v->apic.service);
    u32 task = v->apic.task_priority & 0xFF;

    if (service < 0 || (u32)service >> 4 <= task >> 4)
        return task;
    return (u32)service & 0xF0;
}

void apic_request(struct vcpu *v, u32 vector)
{
    v->apic.request[vector / 32] |= 1u << vector % 32;
}

/* The vector of the interrupt that the processor may take now, or -1. */
s32 apic_pending(const struct vcpu *v)
{
    s32 vector = highest(v->apic.request);

    return vector >= 16 && (u32)vector >> 4 > priority(v) >> 4 ? vector : -1;
}

void apic_accept(struct vcpu *v, u32 vector)
{
    v->apic.request[vector / 32] &= ~(1u << vector % 32);
    v->apic.service[vector / 32] |= 1u << vector % 32;
}

static u32 divisor(const struct vcpu *v)
{
    u32 bits = (v->apic.divide & 3) | (v->apic.divide >> 1 & 4);

    return bits == 7 ? 1 : 2u << bits;
}

static u32 remaining(const struct vcpu *v)
{
    u64 now = time_stamp(), left = v->apic.deadline - now;
    u32 shift = (u32)__builtin_ctz(divisor(v));

    if (!v->apic.deadline || v->apic.deadline <= now)
        return 0;
    return (u32)(left >> shift);
}

static void start_timer(struct vcpu *v, u32 count)
{
    u64 cycles = (u64)count * divisor(v);

    v->apic.initial = count;
    v->apic.deadline = count ? time_stamp() + cycles : 0;
    v->apic.period = cycles >> 32 ? 0xFFFFFFFFu : (u32)cycles;
}

/* Called when the core's timer has fired. */
void apic_timer(struct vcpu *v)
{
    struct apic *a = &v->apic;
    u64 now = time_stamp();

    if (!a->deadline || a->deadline > now)
        return;
    if (!(a->timer & MASKED))
        apic_request(v, a->timer & 0xFF);
    if (!(a->timer & PERIODIC))
        a->deadline = 0;
    else if (now - a->deadline < a->period)
        a->deadline += a->period;
    else /* missed ones do not come later */
        a->deadline = now + a->period;
}

static void end_of_interrupt(struct vcpu *v)
{
    s32 vector = highest(v->apic.service);

    if (vector >= 0)
        v->apic.service[vector / 32] &= ~(1u << vector % 32);
}

u32 apic_read(struct vcpu *v, u32 offset)
{
    const struct apic *a = &v->apic;

    if (offset >= SERVICE && offset < SERVICE + 0x80)
        return a->service[(offset - SERVICE) / 16];
    if (offset >= REQUEST && offset < REQUEST + 0x80)
        return a->request[(offset - REQUEST) / 16];
    switch (offset) {
    case ID:
        return v->id << 24;
    case VERSION:
        return VERSION_WORD;
    case TASK_PRIORITY:
        return a->task_priority;
    case PROCESSOR_PRIORITY:
        return priority(v);
    case LOGICAL:
        return a->logical;
    case FORMAT:
        return a->format;
    case SPURIOUS:
        return a->spurious;
    case COMMAND_HIGH:
        return a->command_high;
    case LVT_TIMER:
        return a->timer;
    case LVT_LINT0:
    case LVT_LINT1:
        return a->lint[offset == LVT_LINT1];
    case LVT_ERROR:
        return a->error;
    case INITIAL:
        return a->initial;
    case CURRENT:
        return remaining(v);
    case DIVIDE:
        return a->divide;
    default: /* ICR: delivered; ESR: no errors */
        return 0;
    }
}

void apic_write(struct vcpu *v, u32 offset, u32 value)
{
    struct apic *a = &v->apic;

    switch (offset) {
    case TASK_PRIORITY:
        a->task_priority = value & 0xFF;
        break;
    case END_OF_INTERRUPT:
        end_of_interrupt(v);
        break;
    case LOGICAL:
        a->logical = value & 0xFF000000u;
        break;
    case FORMAT:
        a->format = value | 0xFFFFFFFu;
        break;
    case SPURIOUS:
        a->spurious = value & 0x3FF;
        break;
    case COMMAND:
        interprocessor(v, value, a->command_high >> 24);
        break;
    case COMMAND_HIGH:
        a->command_high = value;
        break;
    case LVT_TIMER:
        a->timer = value & (MASKED | PERIODIC | 0xFF);
        break;
    case LVT_LINT0:
    case LVT_LINT1:
        a->lint[offset == LVT_LINT1] = value & (MASKED | 0xA7FF);
        break;
    case LVT_ERROR:
        a->error = value & (MASKED | 0xFF);
        break;
    case INITIAL:
        start_timer(v, value);
        break;
    case DIVIDE:
        a->divide = value & 0xB;
        break;
    }
}
