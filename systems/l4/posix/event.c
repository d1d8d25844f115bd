/*
 * event.c: what interrupts our ordinary kernel is a message here, or the end
 * of a wait: the timer that its drivers set, and other cores.
 */
#include "drivers/drivers.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "posix/posix.h"
#include "process/trapframe.h"
#include "trap/trap.h"

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static u64 came;     /* the last interrupt of another core, a time stamp */
static u64 deadline; /* of the timer, a time stamp; 0: it does not run */
static bool bound;   /* other cores' interrupts are messages */

void apic_timer_start(u32 cycles)
{
    deadline = cycles ? read_tsc() + cycles : 0;
}

/* From now on. */
void apic_enable_pin(void)
{
    if (!bound && !chip_interrupts(SLOT_INTERRUPTS))
        l4_do(SLOT_INTERRUPTS, L4_IRQ_BIND, L4_SLOT_THREAD, INTERRUPTS_WORD, 0);
    bound = true;
}

void events_copied(void)
{
    deadline = 0;
    bound = false;
}

void apic_end_of_interrupt(void)
{
}

/* How long a message may be waited for: the timeout of an invocation. */
u32 event_wait(void)
{
    u64 now;

    if (!deadline)
        return L4_FOREVER;
    now = read_tsc();
    if (deadline <= now)
        return 0;
    if (deadline - now > 0x7FFFFFFF)
        return 0x7FFFFFFF / boot->megahertz << 3;
    return ((u32)(deadline - now) / boot->megahertz + 1) << 3;
}

u64 interrupt_time(void)
{
    return came;
}

static void interrupt(u32 vector)
{
    struct trapframe inside = {.vector = vector};

    trap(&inside);
}

/* What came is no message of the program. */
void event_take(s32 result, const struct l4_message *m)
{
    if (deadline && deadline <= read_tsc()) {
        deadline = 0;
        interrupt(VECTOR_TIMER);
    }
    if (result == L4_OK && m->words[0] == INTERRUPTS_WORD) {
        came = read_tsc();
        came -= (u32)came - m->words[2];
        interrupt(VECTOR_LINT0);
    }
    if (result == L4_OK && m->words[0] == EVENT_WORD)
        family_told();
}

void wait_for_interrupt(void)
{
    struct l4_message m = {0};
    u32 mode = L4_RECEIVE | event_wait();
    s32 result;

    turn_give(true);
    result = l4_invoke(0, mode, &m);
    turn_take();
    event_take(result, &m);
}

/* The end of the run is known to the host by now. */
void halt_forever(void)
{
    struct l4_message m;

    turn_give(false);
    for (;;)
        l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);
}

void caches_write_back(void)
{
    l4_do(L4_SLOT_CORE, L4_CORE_FLUSH, 0, 0, 0);
}
