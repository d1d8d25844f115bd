/*
 * silence.c: a core that does not answer. An instance answers whatever its guest
 * does, so one that is silent for a quarter of a second has stopped: the machine
 * ends with a line, since the guest's pages that the core had are lost.
 *
 * A guest may wait for a stopped core on a page that its own core has, so that no
 * instance asks. A core whose guest runs therefore looks now and then at a word of
 * each other core, its beat, and greets a core whose beat is as before. That guest
 * may poll, which a simulation does slowly, so the patience is less. A core whose
 * guest waits looks more rarely, for it may wait for a stopped core; it does not
 * look any more when all others sleep too, and nothing but a mail would wake them.
 */
#include "coherence/coherence.h"
#include "common/processor.h"

#define PATIENCE 133000000u   /* cycles: a quarter of a second at 533 MHz */
#define GREETED 53300000u     /* for one that is asked whether it is there */
#define LOOK 2132000u         /* 4 ms from one look at beats to the next */
#define LOOKS_AT 8u           /* so many of them */
#define LOOK_ASLEEP 34112000u /* 64 ms from one look at all to the next */
#define LOOKS_QUIET 2u /* so often all others sleep; a mail may be under way */
#define APART 533000u  /* a millisecond between two cores */
#define UNANSWERED 5330000u /* 10 ms: longer than any core takes no mail */

u32 awaited_page = NO_PAGE;
static u32 sent[CORES];  /* when the last mail was */
static u32 beats[CORES]; /* as this core saw them last */
static u64 looked;
static bool runs; /* the guest, on this core */
static u32 quiet; /* looks that have found all others asleep */

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

/* The others end first: one line is enough. */
static void name(u32 index)
{
    mail_end();
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
    if (current->state == WAITS_FOR_STARTUP) {
        print(", which nobody has started yet");
    } else {
        print(" at the guest's instruction ");
        print_hex(current->frame.eip);
    }
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

    if (!mail_is_open(index)) {
        if (read_tsc() > PATIENCE)
            name(index);
    } else if (beat != beats[index]) {
        beats[index] = beat;
    } else if (mail_is_taken(index)) {
        mail_greeting(index);
    } else if (is_over(sent[index], UNANSWERED)) {
        name(index);
    }
}

static void look_at_some(void)
{
    static u32 next;

    for (u32 n = 0; n < LOOKS_AT && n < options.core_count; n++) {
        next = (next + 1) % options.core_count;
        if (next != core_index)
            look_at(next);
    }
}

/* Sleepers need not be woken: nobody waits for them. */
static void look_at_all_awake(void)
{
    bool all_sleep = true;

    for (u32 n = 0; n < options.core_count; n++) {
        if (n == core_index || mail_is_asleep(n))
            continue;
        all_sleep = false;
        look_at(n);
    }
    quiet = all_sleep ? quiet + 1 : 0;
}

/* With each tick, and in loops of the guest that no tick interrupts. */
void silence_watch(void)
{
    u64 due = silence_due(runs), now = read_tsc();

    if (!due || now < due)
        return;
    looked = now;
    mail_live();
    if (runs)
        look_at_some();
    else
        look_at_all_awake();
}

/* Cores that sleep from the start do not look at the same time. */
void silence_init(void)
{
    looked = core_index * APART;
}

/* When this core looks again, whose guest runs or waits; 0: never. */
u64 silence_due(bool guest_runs)
{
    runs = guest_runs;
    if (runs)
        quiet = 0;
    if (options.core_count == 1 || quiet == LOOKS_QUIET)
        return 0;
    return looked + (runs ? LOOK : LOOK_ASLEEP);
}
