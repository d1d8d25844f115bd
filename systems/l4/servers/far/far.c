/*
 * far.c: gates of other cores. Who calls one calls this server, which keeps
 * the caller, writes a line into the other core's buffer and replies when a
 * line comes back; there, this server calls the gate that was exported. Who is
 * called sees the badge that the exporter put on it.
 *
 * A core that is gone answers nothing: its callers get an error in time. Who
 * has the page of a buffer from io can forge its lines.
 */
#include "l4/far.h"

#include "l4/io.h"
#include "servers/far/far.h"

#define SERVICE_US 5000 /* so long the called one may take */
#define AFTER_US 3      /* behind an interrupt its line comes in this time */
#define INTERRUPTS_WORD 1
#define LOOKS 4 /* at the boxes, between two looks for a message of this core */

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static uint8_t exported[FAR_NUMBERS]; /* slots */
static int listens;

/* Another core calls a gate of this one. */
static void serve(uint32_t core, const struct line *request)
{
    uint32_t number = request->number_mode & 0xFF;
    struct l4_message m = {
        request->tag & ~(uint32_t)L4_ITEMS,
        {request->words[0], request->words[1], request->words[2]},
        0};
    struct line reply = {.turn = request->turn, .result = (uint32_t)L4_DEAD};

    if ((m.tag & L4_WORDS) <= 3 && number < FAR_NUMBERS && exported[number])
        reply.result = (uint32_t)l4_invoke(exported[number],
                                           L4_WAIT(L4_CALL, SERVICE_US), &m);
    reply.tag = m.tag;
    for (int n = 0; n < 3; n++)
        reply.words[n] = m.words[n];
    send_line(core, REPLY, &reply, request->number_mode >> 8 & 3);
}

/* Whether a box of the core was full. */
static int look_at(uint32_t core)
{
    struct line line;
    int found = calls_take(core);

    if (box_take(core, REQUEST, &line)) {
        meet(core);
        serve(core, &line);
        boxes_look();
        found = 1;
    }
    return found;
}

/* Looks at the boxes of the cores that called, or were called, before. */
static int look(void)
{
    int found = 0;

    boxes_look();
    for (uint32_t n = 0; n < partner_count; n++)
        found |= look_at(partners[n]);
    return found;
}

/* A look at the boxes costs a fraction of an invocation. */
static void look_on(void)
{
    for (int n = 0; n < LOOKS; n++)
        if (look())
            return;
}

/* A core that never called before is found when no other one is. */
static void interrupted(void)
{
    uint64_t end = l4_cycles() + AFTER_US * boot->megahertz;

    do
        if (look())
            return;
    while (l4_cycles() < end);
    for (uint32_t core = 0; core < CORES; core++)
        look_at(core);
}

static int32_t connect(const struct l4_message *m, uint32_t *items)
{
    uint32_t core = m->words[0], number = m->words[1], mode = m->words[2];

    if (core >= CORES || number >= FAR_NUMBERS || mode > FAR_HYBRID)
        return L4_BAD_ARGUMENT;
    l4_utcb()->items[0] =
        OWN_GATE << L4_SLOT_SHIFT | L4_ITEM_CAPABILITY | L4_RIGHTS;
    l4_utcb()->items[1] = OF_A_GATE | mode << 16 | core << 8 | number;
    *items = 1;
    return L4_OK;
}

/* A capability that came goes into the slot of its number. */
static int32_t take_export(uint32_t number, uint32_t slot)
{
    if (number >= FAR_NUMBERS || l4_utcb()->slot_window_count)
        return L4_BAD_ARGUMENT;
    if (exported[number])
        l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, exported[number], 1, 0);
    exported[number] = (uint8_t)slot;
    return L4_OK;
}

static uint32_t free_slot(void)
{
    uint32_t slot = EXPORTS;

    for (uint32_t n = 0; n < FAR_NUMBERS; n++)
        if (exported[n] == slot) {
            slot++;
            n = ~0u; /* from the first number again */
        }
    return slot;
}

/* Whether a reply is made now. */
static int take_message(struct l4_message *m, uint32_t slot)
{
    uint32_t items = 0;
    int32_t result = L4_BAD_ARGUMENT;
    int keeps = 0;

    if (m->badge & OF_A_GATE) {
        result = calls_begin(m->badge, m);
        if (result == L4_OK)
            return 0;
    } else if (m->tag >> L4_LABEL_SHIFT == FAR_EXPORT) {
        result = take_export(m->words[0], slot);
        keeps = result == L4_OK;
    } else if (m->tag >> L4_LABEL_SHIFT == FAR_CONNECT) {
        result = connect(m, &items);
    } else if (m->tag >> L4_LABEL_SHIFT == FAR_LISTEN) {
        listens = m->words[0] != 0;
        result = L4_OK;
    }
    /* What nobody asked for does not stay. */
    if (!l4_utcb()->slot_window_count && !keeps)
        l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, slot, 1, 0);
    m->tag =
        L4_TAG(m->badge & OF_A_GATE ? FAR_FAILED : 0, 1) | L4_TAG_ITEMS(items);
    m->words[0] = (uint32_t)result;
    return 1;
}

static void start(void)
{
    l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, OWN_GATE, L4_SLOT_THREAD, 0);
    l4_utcb()->slot_window = INTERRUPTS;
    l4_utcb()->slot_window_count = 1;
    ask_io(IO_PIN, 0);
    l4_do(INTERRUPTS, L4_IRQ_BIND, L4_SLOT_THREAD, INTERRUPTS_WORD, 0);
}

int main(void)
{
    struct l4_message m = {0};
    int reply = 0;

    start();
    for (;;) {
        uint32_t slot = free_slot();
        int32_t result;

        l4_utcb()->slot_window = slot;
        l4_utcb()->slot_window_count = 1;
        l4_utcb()->page_window_pages = 0;
        result = l4_invoke(0,
                           (reply ? L4_REPLY_WAIT : L4_RECEIVE) |
                               (listens ? 0 : calls_wait()),
                           &m);
        reply = 0;
        if (result == L4_OK && !m.badge && m.words[0] == INTERRUPTS_WORD)
            interrupted();
        else if (result == L4_OK)
            reply = take_message(&m, slot);
        else
            look_on();
        calls_check();
    }
}
