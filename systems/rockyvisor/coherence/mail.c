/*
 * mail.c: mails between hypervisors, one word each: into the sender's place in
 * the receiver's message buffer, and by the pin NMI (LINT1), so that a guest
 * with interrupts off still gives up pages. A place is zero when it is free.
 */
#include "coherence/coherence.h"
#include "scc/memory_map.h"
#include "scc/registers.h"
#include "common/processor.h"

#define PLACES 0u /* of senders */
#define GROUPS \
    0xC0u /* a byte for each six places: one of them may have a mail */
#define GROUP 6u
#define REPLIES 0x100u
#define AGES 0x200u /* of what their senders ask for */
#define SOON 100u   /* turns, each of about 50 cycles */
#define READY 0x300u
#define BEAT 0x304u
#define FLUSHES 0x308u
#define SLEEPS 1u /* of the beat; the rest counts */
#define READY_WORD 0x52454459u

static u32 buffers[CORES], pins[CORES], idle_pins;
static bool are_open;
volatile u32 mail_waits;

static volatile u8 *group(u32 index, u32 number)
{
    return (volatile u8 *)buffers[index] + GROUPS + number;
}

void mails_init(void)
{
    for (u32 n = 0; n < options.core_count; n++) {
        u32 core = options.cores[n];
        u32 tile = core / 2 * SCC_CRB_BASE_STRIDE;

        buffers[n] =
            device_page(SCC_MPB_BASE + tile + core % 2 * SCC_MPB_SIZE_PER_CORE);
        pins[n] = device_page(SCC_CRB_BASE + tile + SCC_CRB_GLCFG(core % 2));
    }
    for (u32 n = 0; n < options.core_count; n++)
        write_register(buffers[core_index] + PLACES + n * 4, 0);
    for (u32 n = 0; n < CORES / GROUP; n++)
        *group(core_index, n) = 0;
    idle_pins = read_register(pins[core_index]) &
                ~(u32)(SCC_CRB_GLCFG_NMI | SCC_CRB_GLCFG_INTR);
    write_register(buffers[core_index] + BEAT, 0);
    write_register(buffers[core_index] + FLUSHES, 0);
    write_register(buffers[core_index] + READY, READY_WORD);
    are_open = true;
}

/* In each turn of a wait: mails, and what was put off before the wait. */
void serve_while(enum waiting waiting)
{
    if (mail_waits)
        mails_serve(waiting);
    else
        window_reconsider(waiting);
}

/* A turn of a wait for another core. Most answers come soon. */
static void wait_for(u32 index, u32 round, u32 began)
{
    serve_while(FOR_ANOTHER);
    if (round < SOON)
        return;
    rest(NAP);
    silence_of(index, began);
}

/* The core takes mails. */
bool mail_is_open(u32 index)
{
    return read_register(buffers[index] + READY) == READY_WORD;
}

u32 mail_beat(u32 index)
{
    return read_register(buffers[index] + BEAT);
}

/* Shows the others that this core is there. */
void mail_live(void)
{
    if (are_open)
        write_register(buffers[core_index] + BEAT, mail_beat(core_index) + 2);
}

/* Shows the others whether nothing but a mail will wake this core. */
void mail_sleeps(bool sleeps)
{
    if (are_open)
        write_register(buffers[core_index] + BEAT,
                       (mail_beat(core_index) & ~SLEEPS) | sleeps);
}

bool mail_is_asleep(u32 index)
{
    return mail_beat(index) & SLEEPS;
}

/* The last one to that core. */
bool mail_is_taken(u32 index)
{
    return !read_register(buffers[index] + PLACES + core_index * 4);
}

/* The mail is in its place when the pin rises. */
static void put(u32 index, u32 word)
{
    u32 began = (u32)read_tsc();

    while (!mail_is_open(index))
        silence_of(index, began);
    for (u32 round = 0; !mail_is_taken(index); round++)
        wait_for(index, round, began);
    write_register(buffers[index] + PLACES + core_index * 4, word);
    *group(index, core_index / GROUP) = 1;
    write_register(pins[index], idle_pins | SCC_CRB_GLCFG_NMI);
    silence_sent(index);
}

void ask(u32 index, u32 word)
{
    write_register(buffers[index] + AGES + core_index * 4, window_age());
    write_register(buffers[core_index] + REPLIES + index * 4, 0);
    put(index, word);
}

u32 await_reply(u32 index)
{
    u32 word, began = (u32)read_tsc();

    for (u32 round = 0;
         !(word = read_register(buffers[core_index] + REPLIES + index * 4));
         round++)
        wait_for(index, round, began);
    return word;
}

void mail_command(u32 index, u32 vcpu, u32 command)
{
    put(index, MAIL(COMMAND, vcpu << 16 | command));
}

void mail_greeting(u32 index)
{
    put(index, MAIL(GREETING, 0));
}

/* Of its caches: twice as many as have ended, and one if it flushes now. */
u32 mail_flushes(u32 index)
{
    return read_register(buffers[index] + FLUSHES);
}

/* This core's flush begins, or ends. */
void mail_flush_turns(void)
{
    write_register(buffers[core_index] + FLUSHES, mail_flushes(core_index) + 1);
}

void mail_flush(u32 index, u32 count)
{
    put(index, MAIL(FLUSH, count));
}

void mail_await_flushes(u32 index, u32 count)
{
    u32 began = (u32)read_tsc();

    for (u32 round = 0; (s32)(mail_flushes(index) - count) < 0; round++)
        wait_for(index, round, began);
}

/* The characters are where emulate/console.c has them, until they are printed. */
void mail_console(void)
{
    ask(0, MAIL(CONSOLE, 0));
    await_reply(0);
}

u32 mail_console_in(u32 port)
{
    ask(0, MAIL(CONSOLE_IN, port));
    return await_reply(0) & 0xFF;
}

/* The bytes are where emulate/service.c has them. */
u32 mail_line(u32 room)
{
    ask(0, MAIL(CONSOLE_LINE, room & 0xFFFFFF));
    return await_reply(0) & 0xFFFFFF;
}

void mail_end(void)
{
    for (u32 n = 0; n < options.core_count && are_open; n++)
        if (n != core_index && mail_is_open(n)) {
            write_register(buffers[n] + PLACES + core_index * 4, MAIL(END, 0));
            *group(n, core_index / GROUP) = 1;
            write_register(pins[n], idle_pins | SCC_CRB_GLCFG_NMI);
        }
}

/* Any word but zero. */
static void reply(u32 index, u32 word)
{
    write_register(buffers[index] + REPLIES + core_index * 4, word);
}

void page_reply(const struct asked *asked)
{
    reply(asked->index, page_given(asked->page, asked->kind) | 1);
}

void page_refuse(u32 index)
{
    reply(index, REFUSED);
}

static void take(u32 index, u32 word, enum waiting waiting)
{
    u32 payload = word & 0x0FFFFFFF, kind = word >> 28;
    struct asked asked = {.index = index, .page = payload, .kind = kind};

    counts.mails++;
    switch (kind) {
    case GIVE_WRITE:
    case GIVE_READ:
    case DROP:
        asked.age = read_register(buffers[core_index] + AGES + index * 4);
        window_asked(&asked, waiting);
        break;
    case COMMAND:
        interprocessor_take(&vcpus[payload >> 16], payload & 0xFFFF);
        break;
    case CONSOLE:
        console_print(index);
        reply(index, 1);
        break;
    case CONSOLE_IN:
        reply(index, in_byte((u16)payload) | 0x100u);
        break;
    case CONSOLE_LINE:
        reply(index, service_line(payload) | 0x1000000u);
        break;
    case FLUSH:
        flush_until(payload);
        break;
    case GREETING:
        mail_live();
        break;
    case END:
        if (core_index == 0)
            console_print_all();
        report();
        core_end(0);
    }
}

static void serve_group(u32 number, enum waiting waiting)
{
    u32 places = buffers[core_index] + PLACES, first = number * GROUP;

    *group(core_index, number) = 0;
    for (u32 n = first; n < first + GROUP && n < options.core_count; n++) {
        u32 word = n == core_index ? 0 : read_register(places + n * 4);

        if (!word)
            continue;
        write_register(places + n * 4, 0);
        take(n, word, waiting);
    }
}

/* Pin and group fall first, so that a mail that comes now raises them again. */
void mails_serve(enum waiting waiting)
{
    mail_waits = 0;
    if (!are_open)
        return;
    write_register(pins[core_index], idle_pins);
    for (u32 half = 0; half < CORES / GROUP; half += 4) {
        u32 set = read_register(buffers[core_index] + GROUPS + half);

        for (u32 n = 0; n < 4; n++)
            if (set >> n * 8 & 0xFF)
                serve_group(half + n, waiting);
    }
    window_reconsider(waiting);
}
