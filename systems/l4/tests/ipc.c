/*
 * ipc.c: a root task that says what messages, mappings, timeouts, turns and
 * notifications do.
 */
#include "lib/l4.h"

#define PAGE 4096u
#define WINDOW 0x10000000u
#define THERE 0x20000000u

enum {
    CONTEXT = L4_SLOT_FREE, /* of this priority */
    LOW,                    /* of a lower one */
    OWN,                    /* gate of this thread */
    FIRST,                  /* task, thread, gate */
    SECOND = FIRST + 3,
    THREAD = SECOND + 3, /* 2 of this task */
    EVENT = THREAD + 2,
    KEPT,
    RECEIVED = 64,
};

static char stacks[2][4096] __attribute__((aligned(16)));
static struct child first, second;
static volatile uint32_t counts[2];
static volatile double sums[2];

#define STACK(n) ((uint32_t)(stacks[n] + sizeof(stacks[n])))

static void must(const char *what, int32_t result)
{
    if (result) {
        say("%s: error %d\n", what, (int)result);
        halt(1);
    }
}

/* Says what came, and answers with the words turned around. */
static void server(void)
{
    struct l4_message m;

    l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);
    for (;;) {
        uint32_t swap = m.words[0];

        m.words[0] = m.words[2] + m.badge;
        m.words[2] = swap + l4_utcb()->words[9];
        l4_utcb()->page_window = THERE;
        l4_utcb()->page_window_pages = 2;
        l4_utcb()->slot_window = RECEIVED;
        l4_utcb()->slot_window_count = 1;
        m.tag &= L4_WORDS;
        l4_invoke(0, L4_REPLY_WAIT | L4_FOREVER, &m);
    }
}

static void words_and_badges(void)
{
    struct l4_message m = {L4_TAG(0, 10), {1, 2, 3}, 0};

    l4_utcb()->words[9] = 100;
    must("call", l4_call(first.gate, &m));
    say("without badge: %d %d %d\n", (int)m.words[0], (int)m.words[1],
        (int)m.words[2]);
    must("badge", l4_do(L4_SLOT_TASK, L4_TASK_GIVE,
                        first.gate << L4_SLOT_SHIFT | L4_RIGHTS, 100, 5000));
    m.words[2] = 3;
    must("call", l4_call(100, &m));
    say("badge 5000: %d\n", (int)m.words[0]);
    say("another badge on it: error %d\n",
        (int)l4_do(L4_SLOT_TASK, L4_TASK_GIVE, 100 << L4_SLOT_SHIFT | L4_RIGHTS,
                   101, 6000));
    must("no right",
         l4_do(L4_SLOT_TASK, L4_TASK_GIVE, 100 << L4_SLOT_SHIFT, 102, 0));
    say("without the right to send: error %d\n", (int)l4_call(102, &m));
    must("revoke", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, first.gate, 0, 0));
    say("after revocation: errors %d %d\n", (int)l4_call(100, &m),
        (int)l4_call(102, &m));
}

/* A page goes to the first child, from there to the second, and all lose it. */
static void pages(void)
{
    struct l4_message m = {L4_TAG(0, 0) | L4_TAG_ITEMS(1), {0, 0, 0}, 0};
    int32_t result;

    must("page", take_pages(WINDOW, 1));
    l4_utcb()->items[0] = WINDOW;
    l4_utcb()->items[1] = 1;
    must("send", l4_call(first.gate, &m));
    l4_utcb()->page_window = WINDOW + 16 * PAGE;
    l4_utcb()->page_window_pages = 1;
    must("a page back home",
         l4_do(L4_SLOT_TASK, L4_TASK_MAP, WINDOW, WINDOW + 16 * PAGE, 1));
    must("to the other",
         l4_do(second.task, L4_TASK_MAP, WINDOW + 16 * PAGE, THERE, 1));
    must("unmap", l4_do(L4_SLOT_TASK, L4_TASK_UNMAP, WINDOW, 1, 0));
    result = l4_do(second.task, L4_TASK_MAP, WINDOW + 16 * PAGE, THERE, 1);
    say("given on after it was taken back: error %d\n", (int)result);
    say("the first still has its own: %d\n", *(volatile int *)WINDOW);
}

static void timeouts(void)
{
    struct l4_message m = {0, {0, 0, 0}, 0};
    uint64_t from = l4_cycles();
    const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
    int32_t result = l4_invoke(0, L4_WAIT(L4_RECEIVE, 300), &m);
    uint32_t took = (uint32_t)(l4_cycles() - from) / boot->megahertz;

    say("receive with a timeout: error %d, %s\n", (int)result,
        took >= 300 && took < 330 ? "after 300 us" : "at another time");
    say("poll: error %d\n", (int)l4_invoke(0, L4_WAIT(L4_RECEIVE, 0), &m));
    say("a call that nobody takes: error %d\n",
        (int)l4_invoke(second.gate, L4_WAIT(L4_CALL, 50), &m));
    say("a call to itself: error %d\n",
        (int)l4_invoke(OWN, L4_WAIT(L4_CALL, 50), &m));
}

static void count0(void)
{
    for (double x = 1;; x += 1) {
        counts[0]++;
        sums[0] = x;
    }
}

static void count1(void)
{
    for (double x = 0.5;; x += 1) {
        counts[1]++;
        sums[1] = x;
    }
}

/* Two threads that never wait share the core, and each has its own x87. */
static void turns(void)
{
    struct l4_message m = {0, {0, 0, 0}, 0};
    uint32_t a, b;

    must("thread", thread_start(THREAD, L4_SLOT_TASK, 0xE0000000, LOW, 0,
                                count0, stacks[0] + sizeof(stacks[0])));
    must("thread", thread_start(THREAD + 1, L4_SLOT_TASK, 0xE0001000, LOW, 0,
                                count1, stacks[1] + sizeof(stacks[1])));
    l4_invoke(0, L4_WAIT(L4_RECEIVE, 2050), &m);
    a = counts[0];
    b = counts[1];
    say("turns are %s\n",
        a > 100 && b > a / 2 && b / 2 < a ? "alike" : "not alike");
    say("x87 registers are %s\n", sums[0] >= a - 1 && sums[0] <= a + 1 &&
                                          sums[1] >= b - 1.5 &&
                                          sums[1] <= b + 1.5
                                      ? "each thread's own"
                                      : "mixed up");
    must("end", l4_do(THREAD, L4_THREAD_DESTROY, 0, 0, 0));
    must("end", l4_do(THREAD + 1, L4_THREAD_DESTROY, 0, 0, 0));
    a = counts[0];
    l4_invoke(0, L4_WAIT(L4_RECEIVE, 100), &m);
    say("after the end they %s\n", a == counts[0] ? "stand" : "run");
}

static void asker(void)
{
    struct l4_message m = {L4_TAG(0, 1), {7, 0, 0}, 0};
    int32_t result = l4_call(1, &m);

    m.words[1] = m.words[0];
    m.words[0] = (uint32_t)result;
    m.tag = L4_TAG(9, 2);
    l4_call(1, &m);
}

/* A caller is kept, others are served, and it gets its reply then. */
static void kept_reply(void)
{
    struct l4_message m, answer = {L4_TAG(0, 1), {70, 0, 0}, 0};

    must("gate", l4_do(second.task, L4_TASK_GIVE,
                       OWN << L4_SLOT_SHIFT | L4_RIGHTS, 1, 0));
    must("start",
         l4_do(second.thread, L4_THREAD_START, (uint32_t)asker, STACK(1), 0));
    must("receive", l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m));
    must("keep", l4_do(L4_SLOT_THREAD, L4_THREAD_KEEP_CALLER, KEPT, 0, 0));
    say("reply to nobody: error %d\n",
        (int)l4_invoke(0, L4_WAIT(L4_REPLY, 0), &m));
    must("reply", l4_invoke(KEPT, L4_SEND | L4_FOREVER, &answer));
    say("reply twice: error %d\n",
        (int)l4_invoke(KEPT, L4_SEND | L4_FOREVER, &answer));
    must("receive", l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m));
    say("the kept caller got %d, result %d\n", (int)m.words[1],
        (int)m.words[0]);
}

static void events(void)
{
    struct l4_message m;

    must("irq", l4_create(L4_SLOT_FACTORY, L4_KIND_IRQ, EVENT, 0, 0));
    must("bind", l4_do(EVENT, L4_IRQ_BIND, L4_SLOT_THREAD, 1234, 0));
    for (int n = 0; n < 3; n++)
        must("trigger", l4_do(EVENT, L4_IRQ_TRIGGER, 0, 0, 0));
    must("receive", l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m));
    say("event %d came %d times\n", (int)m.words[0], (int)m.words[1]);
}

int main(void)
{
    must("context",
         l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, CONTEXT, 16, 1000));
    must("context", l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, LOW, 8, 200));
    must("gate",
         l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, OWN, L4_SLOT_THREAD, 0));
    must("child", child_start(&first, FIRST, CONTEXT));
    must("child", child_start(&second, SECOND, CONTEXT));
    must("start",
         l4_do(first.thread, L4_THREAD_START, (uint32_t)server, STACK(0), 0));
    words_and_badges();
    pages();
    timeouts();
    kept_reply();
    must("end", l4_do(first.task, L4_TASK_DESTROY, 0, 0, 0));
    say("its gate now: error %d\n",
        (int)l4_call(first.gate, &(struct l4_message){0}));
    turns();
    events();
    return 0;
}
