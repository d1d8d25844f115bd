/*
 * apic.c: a virtual processor's local APIC: its registers, the priorities of
 * its interrupts, its timer [intel-sdm]. One tick of the timer is a cycle of
 * the core. What it sends to others is in interprocessor.c.
 */
#include "visor.h"
#include "common/local_apic.h"
#include "common/processor.h"

#define VERSION_WORD 0x00030014u /* its IDs have 8 bits, as an xAPIC's */

void apic_reset(struct vcpu *v)
{
    memset(&v->apic, 0, sizeof(v->apic));
    v->apic.spurious = 0xFF;
    v->apic.format = 0xFFFFFFFFu;
    v->apic.timer = v->apic.lint[0] = v->apic.lint[1] = v->apic.error =
        APIC_MASKED;
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
    u64 now = read_tsc(), left = v->apic.deadline - now;
    u32 shift = (u32)__builtin_ctz(divisor(v));

    if (!v->apic.deadline || v->apic.deadline <= now)
        return 0;
    return (u32)(left >> shift);
}

static void start_timer(struct vcpu *v, u32 count)
{
    u64 cycles = (u64)count * divisor(v);

    v->apic.initial = count;
    v->apic.deadline = count ? read_tsc() + cycles : 0;
    v->apic.period = cycles >> 32 ? 0xFFFFFFFFu : (u32)cycles;
}

/* Called when the core's timer has fired. */
void apic_timer(struct vcpu *v)
{
    struct apic *a = &v->apic;
    u64 now = read_tsc();

    if (!a->deadline || a->deadline > now)
        return;
    if (!(a->timer & APIC_MASKED))
        apic_request(v, a->timer & 0xFF);
    if (!(a->timer & APIC_PERIODIC))
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

    if (offset >= APIC_SERVICE && offset < APIC_SERVICE + 0x80)
        return a->service[(offset - APIC_SERVICE) / 16];
    if (offset >= APIC_REQUEST && offset < APIC_REQUEST + 0x80)
        return a->request[(offset - APIC_REQUEST) / 16];
    switch (offset) {
    case APIC_ID:
        return v->id << 24;
    case APIC_VERSION:
        return VERSION_WORD;
    case APIC_TASK_PRIORITY:
        return a->task_priority;
    case APIC_PROCESSOR_PRIORITY:
        return priority(v);
    case APIC_LOGICAL:
        return a->logical;
    case APIC_FORMAT:
        return a->format;
    case APIC_SPURIOUS:
        return a->spurious;
    case APIC_COMMAND_HIGH:
        return a->command_high;
    case APIC_LVT_TIMER:
        return a->timer;
    case APIC_LVT_LINT0:
    case APIC_LVT_LINT1:
        return a->lint[offset == APIC_LVT_LINT1];
    case APIC_LVT_ERROR:
        return a->error;
    case APIC_INITIAL_COUNT:
        return a->initial;
    case APIC_CURRENT_COUNT:
        return remaining(v);
    case APIC_DIVIDE:
        return a->divide;
    default: /* ICR: delivered; ESR: no errors */
        return 0;
    }
}

void apic_write(struct vcpu *v, u32 offset, u32 value)
{
    struct apic *a = &v->apic;

    switch (offset) {
    case APIC_TASK_PRIORITY:
        a->task_priority = value & 0xFF;
        break;
    case APIC_END_OF_INTERRUPT:
        end_of_interrupt(v);
        break;
    case APIC_LOGICAL:
        a->logical = value & 0xFF000000u;
        break;
    case APIC_FORMAT:
        a->format = value | 0xFFFFFFFu;
        break;
    case APIC_SPURIOUS:
        a->spurious = value & 0x3FF;
        break;
    case APIC_COMMAND:
        interprocessor(v, value, a->command_high >> 24);
        break;
    case APIC_COMMAND_HIGH:
        a->command_high = value;
        break;
    case APIC_LVT_TIMER:
        a->timer = value & (APIC_MASKED | APIC_PERIODIC | 0xFF);
        break;
    case APIC_LVT_LINT0:
    case APIC_LVT_LINT1:
        a->lint[offset == APIC_LVT_LINT1] = value & (APIC_MASKED | 0xA7FF);
        break;
    case APIC_LVT_ERROR:
        a->error = value & (APIC_MASKED | 0xFF);
        break;
    case APIC_INITIAL_COUNT:
        start_timer(v, value);
        break;
    case APIC_DIVIDE:
        a->divide = value & 0xB;
        break;
    }
}
