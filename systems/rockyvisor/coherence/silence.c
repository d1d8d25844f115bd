/*
 * silence.c: a core that does not answer. An instance answers whatever its guest
 * does, so one that is silent for a quarter of a second has stopped: the machine
 * ends with a line, since the guest's pages that the core had are lost.
 */
#include "coherence/coherence.h"
#include "common/processor.h"

#define PATIENCE 133000000u /* cycles: a quarter of a second at 533 MHz */
#define GREETED 53300000u   /* for one that is asked whether it is there */

u32 awaited_page = NO_PAGE;
static u32 sent[CORES]; /* when the last mail was */

static bool is_over(u32 began, u32 patience)
{
    return (u32)read_tsc() - began > patience;
}

static void name(u32 index)
{
    print("rockyvisor: core ");
    print_decimal(options.cores[index]);
    print(" has stopped: it does not answer core ");
    print_decimal(own_core());
    if (awaited_page != NO_PAGE) {
        print(", which waits for the guest's page ");
        print_hex(awaited_page * PAGE);
    }
    print(" at the guest's instruction ");
    print_hex(current->frame.eip);
    print("\n");
    power_off(1);
}

/* In each turn of a wait that began then for the core's answer. */
void silence_of(u32 index, u32 began)
{
    if (is_over(began, PATIENCE))
        name(index);
}

void silence_sent(u32 index)
{
    sent[index] = (u32)read_tsc();
}

/* In each turn of a wait for a lock, whose holder nobody knows: who takes no mail
 * has it, or keeps its holder waiting. Returns when the wait begins anew. */
u32 silence_of_any(u32 began)
{
    if (!is_over(began, PATIENCE))
        return began;
    for (u32 n = 0; n < options.core_count; n++) {
        u32 asked = (u32)read_tsc();

        if (n == core_index)
            continue;
        if (mail_is_taken(n))
            mail_greeting(n);
        while (!mail_is_taken(n)) {
            serve_while(FOR_ANOTHER);
            if (is_over(asked, GREETED))
                name(n);
        }
    }
    return (u32)read_tsc();
}

/* With each tick, for a guest that waits without the hypervisor: one core's. */
void silence_watch(void)
{
    static u32 looked;
    u32 n = looked++ % options.core_count;

    if (n != core_index && is_over(sent[n], PATIENCE) && sent[n] &&
        !mail_is_taken(n))
        name(n);
}
