/*
 * calls.c: calls of this core's tasks to gates of other cores, from the line
 * that leaves to the reply; and how a line is announced.
 */
#include "l4/far.h"
#include "l4/io.h"
#include "scc/registers.h"
#include "servers/far/far.h"

#define NUDGE_US 1000 /* so long an interrupt may be lost */
#define NUDGES 10

uint8_t partners[CORES];
uint32_t partner_count;

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static struct {
    uint32_t turn, mode, nudges;
    int waits;
} calls[CORES];
static uint8_t met[CORES];
static uint32_t waiting, polled; /* calls that wait; those by polling */

int32_t ask_io(uint32_t label, uint32_t word)
{
    struct l4_message m = {L4_TAG(label, 1), {word, 0, 0}, 0};

    return l4_ask(L4_SLOT_SERVER, &m);
}

void meet(uint32_t core)
{
    if (!met[core])
        partners[partner_count++] = (uint8_t)core;
    met[core] = 1;
}

/* Slot of the core's pins; 0: io does not give them. */
static uint32_t pins_of(uint32_t core)
{
    static uint8_t have[CORES];

    if (core < CORES && !have[core]) {
        l4_utcb()->slot_window = PINS + core;
        l4_utcb()->slot_window_count = 1;
        have[core] = ask_io(IO_PINS, core) == L4_OK;
    }
    return core < CORES && have[core] ? PINS + core : 0;
}

static void announce(uint32_t core, uint32_t mode)
{
    uint32_t pins = mode == FAR_POLL ? 0 : pins_of(core);

    if (pins)
        l4_do(pins, L4_PINS_SET, SCC_CRB_GLCFG_INTR, 0, 0);
}

int send_line(uint32_t core, enum kind kind, const struct line *line,
              uint32_t mode)
{
    int sent;

    if (mode == FAR_HYBRID)
        announce(core, mode);
    sent = box_put(core, kind, line);
    if (mode == FAR_INTERRUPT)
        announce(core, mode);
    return sent;
}

static void answer(uint32_t core, struct l4_message *m)
{
    if (!calls[core].waits)
        return;
    calls[core].waits = 0;
    waiting--;
    polled -= calls[core].mode == FAR_POLL;
    l4_invoke(KEPT + core, L4_WAIT(L4_SEND, 0), m);
}

static void fail(uint32_t core, int32_t why)
{
    struct l4_message m = {L4_TAG(FAR_FAILED, 1), {(uint32_t)why, 0, 0}, 0};

    answer(core, &m);
}

/* The program of this core calls a gate of another one. */
int32_t calls_begin(uint32_t badge, const struct l4_message *m)
{
    uint32_t core = badge >> 8 & 0xFF, mode = badge >> 16 & 3;
    struct line line = {0,      (badge & 0xFF) | mode << 8,
                        m->tag, {m->words[0], m->words[1], m->words[2]},
                        0,      0};

    if (core >= CORES || core == boot->core || (m->tag & L4_ITEMS) ||
        (m->tag & L4_WORDS) > 3)
        return L4_BAD_ARGUMENT;
    if (calls[core].waits)
        return L4_NO_ROOM;
    if (l4_do(L4_SLOT_THREAD, L4_THREAD_KEEP_CALLER, KEPT + core, 0, 0))
        return L4_NO_ROOM;
    meet(core);
    calls[core].waits = 1;
    calls[core].mode = mode;
    calls[core].nudges = 0;
    waiting++;
    polled += mode == FAR_POLL;
    line.turn = ++calls[core].turn;
    if (!send_line(core, REQUEST, &line, mode))
        fail(core, L4_DEAD);
    else if (mode == FAR_POLL && line.turn == 1)
        announce(core, FAR_INTERRUPT); /* from now on it knows this core */
    return L4_OK;
}

/* Whether one came that is wanted. */
int calls_take(uint32_t core)
{
    struct line line;
    struct l4_message m;

    if (!calls[core].waits || !box_take(core, REPLY, &line) ||
        line.turn != calls[core].turn)
        return 0;
    if (line.result) {
        fail(core, (int32_t)line.result);
        return 1;
    }
    m.tag = line.tag & ~(uint32_t)L4_ITEMS;
    for (int n = 0; n < 3; n++)
        m.words[n] = line.words[n];
    answer(core, &m);
    return 1;
}

/* Calls that have no answer yet: their interrupt may have been lost, or the
 * other core is gone. */
static void nudge(void)
{
    for (uint32_t core = 0; core < CORES; core++) {
        if (!calls[core].waits)
            continue;
        if (++calls[core].nudges == NUDGES)
            fail(core, L4_DEAD);
        else
            announce(core, FAR_INTERRUPT);
    }
}

/* Between two messages: whether a nudge is due. */
void calls_check(void)
{
    static uint64_t next;

    if (!waiting) {
        next = 0;
        return;
    }
    if (l4_cycles() <= next)
        return;
    if (next)
        nudge();
    next = l4_cycles() + NUDGE_US * boot->megahertz;
}

/* The timeout of an invocation that waits for what comes next. */
uint32_t calls_wait(void)
{
    if (polled)
        return 0;
    return waiting ? NUDGE_US << 3 : L4_FOREVER;
}
