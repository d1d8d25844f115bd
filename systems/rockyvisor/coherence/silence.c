/*
 * silence.c: a core that does not answer. An instance answers whatever its guest
 * does, so one that is silent for a quarter of a second has stopped: the machine
 * ends with a line, since the guest's pages that the core had are lost.
 *
 * A guest may wait for a stopped core on a page that its own core has, so that no
 * instance asks. A core whose guest runs therefore looks now and then at a word of
 * each other core, its beat, and greets a core whose beat is as before. That guest
 * may poll, which a simulation does slowly, so the patience is less.
 */
#include "coherence/coherence.h"
#include "common/processor.h"

#define PATIENCE 133000000u /* cycles: a quarter of a second at 533 MHz */
#define GREETED 53300000u   /* for one that is asked whether it is there */
#define LOOK 2132000u       /* 4 ms from one look at beats to the next */
#define LOOKS_AT 8u         /* so many of them */
#define UNANSWERED 5330000u /* 10 ms: longer than any core takes no mail */

u32 awaited_page = NO_PAGE;
static u32 sent[CORES];  /* when the last mail was */
static u32 beats[CORES]; /* as this core saw them last */
static u64 looked;

static bool is_over(u32 began, u32 patience)
{
    return (u32)read_tsc() - began > patience;
}

/* What nobody waits for in the hypervisor is lost all the same. */
static void name_pages(u32 index)
{
    u32 first, count = pages_of(index, &first);

    print("; with it are lost ");
    print_decimal(count);
    print(" of the guest's pages");
    if (!count)
        return;
    print(", from ");
    print_hex(first * PAGE);
    print(" on");
}

static void name(u32 index)
{
    if (index == 0) /* who has the console */
        console_print_all();
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
    if (awaited_page == NO_PAGE)
        name_pages(index);
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

static void look_at(u32 index)
{
    u32 beat = mail_beat(index);

    if (beat != beats[index])
        beats[index] = beat;
    else if (!mail_is_taken(index) && is_over(sent[index], UNANSWERED))
        name(index);
    else if (mail_is_taken(index) && mail_is_open(index))
        mail_greeting(index);
}

/* With each tick, and in loops of the guest that no tick interrupts. */
void silence_watch(void)
{
    static u32 next;
    u64 now = read_tsc();

    if (options.core_count == 1 || now < silence_due())
        return;
    looked = now;
    mail_live();
    for (u32 n = 0; n < LOOKS_AT && n < options.core_count; n++) {
        next = (next + 1) % options.core_count;
        if (next != core_index)
            look_at(next);
    }
}

/* When this core looks again. */
u64 silence_due(void)
{
    return looked + LOOK;
}
