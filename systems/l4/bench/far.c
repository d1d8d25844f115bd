/*
 * far.c: a task on two cores. Core 0 calls a gate of the core that the command
 * line names (peer=N) and prints cycles, the least of many rounds; that core
 * answers, and computes meanwhile. With listen=1 its far looks for requests all
 * the time, else it is interrupted.
 */
#include "l4/far.h"
#include "lib/l4.h"
#include "lib/options.h"

#define ROUNDS 100
#define NUMBER 3
#define BADGE 77
#define ADDED 5
#define USUAL 9 /* labels */
#define LAST 10
#define SEND_OFF_US 5000 /* until the last reply is with who called */

enum { ECHO = L4_SLOT_FREE, FAR_GATE, WORKER, LOW, UNKNOWN };

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static char stack[4096] __attribute__((aligned(16)));
static volatile uint32_t work;

static void must(const char *what, int32_t result)
{
    if (result) {
        say("%s: error %d\n", what, (int)result);
        halt(1);
    }
}

static int32_t ask_far(uint32_t label, uint32_t a, uint32_t b, uint32_t c,
                       uint32_t gate)
{
    struct l4_message m = {
        L4_TAG(label, 3) | L4_TAG_ITEMS(gate != 0), {a, b, c}, 0};

    l4_utcb()->items[0] =
        gate << L4_SLOT_SHIFT | L4_ITEM_CAPABILITY | L4_RIGHTS;
    l4_utcb()->items[1] = BADGE;
    return l4_ask(L4_SLOT_SERVER, &m);
}

static int32_t connect(uint32_t slot, uint32_t core, uint32_t number,
                       uint32_t mode)
{
    l4_utcb()->slot_window = slot;
    l4_utcb()->slot_window_count = 1;
    return ask_far(FAR_CONNECT, core, number, mode, 0);
}

static void compute(void)
{
    for (;;)
        work++;
}

static void answer(void)
{
    struct l4_message m = {0};
    uint32_t mode = L4_RECEIVE | L4_FOREVER;

    must("gate",
         l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, ECHO, L4_SLOT_THREAD, 0));
    must("export", ask_far(FAR_EXPORT, NUMBER, 0, 0, ECHO));
    must("listen", ask_far(FAR_LISTEN, option("listen="), 0, 0, 0));
    must("low", l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, LOW, 1, 10000));
    must("worker", thread_start(WORKER, L4_SLOT_TASK, L4_ROOT_UTCB - 0x10000,
                                LOW, 0, compute, stack + sizeof(stack)));
    for (;;) {
        if (l4_invoke(0, mode, &m) == L4_TIMEOUT)
            halt(0);
        mode = m.tag >> L4_LABEL_SHIFT == LAST
                   ? L4_WAIT(L4_REPLY_WAIT, SEND_OFF_US)
                   : L4_REPLY_WAIT | L4_FOREVER;
        m.words[0] += ADDED;
        m.words[1] = m.badge;
        m.tag = L4_TAG(m.tag >> L4_LABEL_SHIFT, 2);
    }
}

/* Returns the label of the reply. */
static uint32_t call(uint32_t label)
{
    struct l4_message m = {L4_TAG(label, 1), {0, 0, 0}, 0};

    must("connect", connect(FAR_GATE, option("peer="), NUMBER, FAR_INTERRUPT));
    must("call", l4_call(FAR_GATE, &m));
    must("forget", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, FAR_GATE, 1, 0));
    return m.tag >> L4_LABEL_SHIFT;
}

static void measure(const char *name, uint32_t mode)
{
    uint32_t least = ~0u;

    must("connect", connect(FAR_GATE, option("peer="), NUMBER, mode));
    for (uint32_t n = 0; n < ROUNDS; n++) {
        struct l4_message m = {L4_TAG(USUAL, 1), {n, 0, 0}, 0};
        uint64_t from = l4_cycles();
        int32_t result = l4_call(FAR_GATE, &m);
        uint32_t took = (uint32_t)(l4_cycles() - from);

        must("call", result);
        if (m.tag >> L4_LABEL_SHIFT != USUAL || m.words[0] != n + ADDED ||
            m.words[1] != BADGE)
            must("an answer is wrong", (int32_t)m.words[0]);
        least = took < least ? took : least;
    }
    must("forget", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, FAR_GATE, 1, 0));
    say("%s %d\n", name, (int)least);
}

/* A number that nobody exports, and a core that does not run. */
static void call_nobody(uint32_t core, uint32_t number)
{
    struct l4_message m = {L4_TAG(1, 0), {0, 0, 0}, 0};

    must("connect", connect(UNKNOWN, core, number, FAR_INTERRUPT));
    must("call", l4_call(UNKNOWN, &m));
    must("forget", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, UNKNOWN, 1, 0));
    say("label %x, error %d\n", m.tag >> L4_LABEL_SHIFT, (int)m.words[0]);
}

int main(void)
{
    if (boot->core)
        answer();
    /* The other core exports its gate meanwhile. */
    for (int tries = 0; tries < 100 && call(USUAL) != USUAL; tries++)
        ;
    if (option("listen=")) {
        measure("polling", FAR_POLL);
    } else {
        measure("interrupt", FAR_INTERRUPT);
        measure("hybrid", FAR_HYBRID);
        call_nobody(option("peer="), NUMBER + 1);
        call_nobody(22, NUMBER);
        say("a core behind the last: %d\n", (int)connect(UNKNOWN, 48, 0, 0));
    }
    call(LAST);
    halt(0);
    return 0;
}
