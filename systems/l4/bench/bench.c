/*
 * bench.c: what the kernel's operations cost, in cycles of the time stamp
 * counter, warm: the least of ROUNDS, after rounds that fill the caches.
 *
 * A root task: `rck boot kernel.elf --module sigma0.elf --module
 * bench.elf=root.elf`. Each line is a name and a number.
 */
#include "lib/l4.h"

#define ROUNDS 64
#define PAGE 4096u
#define WINDOW 0x10000000u

enum {
    CONTEXT = L4_SLOT_FREE, /* this task's and its children's priority */
    ECHO,                   /* task, thread, gate */
    PAGER = ECHO + 3,
    FAULTER = PAGER + 3,
    OTHER = FAULTER + 3,
    GIVEN, /* a capability that is sent */
    RECEIVED = 64,
};

static struct child echo, pager, faulter;
static char stacks[4][2048] __attribute__((aligned(16)));
static volatile uint32_t faults_done, least_fault, turns;

#define STACK(n) (stacks[n] + sizeof(stacks[n]))

static void must(const char *what, int32_t result)
{
    if (result) {
        say("%s: error %d\n", what, (int)result);
        halt(1);
    }
}

static uint32_t overhead(void)
{
    uint32_t least = ~0u;

    for (int n = 0; n < ROUNDS; n++) {
        uint64_t from = l4_cycles();
        uint32_t took = (uint32_t)(l4_cycles() - from);

        least = took < least ? took : least;
    }
    return least;
}

static uint32_t clock_cost;

/* The least of many calls of this kind; a callback undoes what it did. */
static uint32_t measure(uint32_t slot, uint32_t tag, void (*prepare)(void))
{
    uint32_t least = ~0u;

    for (int n = 0; n < ROUNDS; n++) {
        struct l4_message m = {tag, {0, 0, 0}, 0};
        uint64_t from;
        uint32_t took;

        if (prepare)
            prepare();
        from = l4_cycles();
        must("call", l4_call(slot, &m));
        took = (uint32_t)(l4_cycles() - from) - clock_cost;
        least = took < least ? took : least;
    }
    return least;
}

/* Replies as many words as it was sent, and no items. */
static void echo_begin(void)
{
    struct l4_message m;

    l4_utcb()->page_window = WINDOW;
    l4_utcb()->slot_window = RECEIVED;
    l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);
    for (;;) {
        l4_utcb()->page_window = WINDOW;
        l4_utcb()->page_window_pages = 1;
        l4_utcb()->slot_window = RECEIVED;
        l4_utcb()->slot_window_count = 1;
        m.tag &= L4_WORDS;
        l4_invoke(0, L4_REPLY_WAIT | L4_FOREVER, &m);
    }
}

/* Gives its own page for each fault. */
static void pager_begin(void)
{
    struct l4_message m;

    l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);
    for (;;) {
        l4_utcb()->items[0] = WINDOW | L4_ITEM_WRITE;
        l4_utcb()->items[1] = 1;
        m.tag = L4_TAG(0, 0) | L4_TAG_ITEMS(1);
        l4_invoke(0, L4_REPLY_WAIT | L4_FOREVER, &m);
    }
}

/* Touches a page that it does not have, and loses it again. */
static void faulter_begin(void)
{
    volatile uint32_t *at = (volatile uint32_t *)0x20000000;
    uint32_t least = ~0u;

    for (uint32_t n = 0; n < ROUNDS; n++) {
        uint64_t from = l4_cycles();
        uint32_t took;

        *at = 1;
        took = (uint32_t)(l4_cycles() - from) - clock_cost;
        least = took < least ? took : least;
        l4_do(L4_SLOT_TASK, L4_TASK_UNMAP, (uint32_t)at, 1, 1);
    }
    least_fault = least;
    faults_done = 1;
    for (;;)
        l4_invoke(0, L4_RECEIVE | L4_FOREVER, &(struct l4_message){0});
}

/* A thread of this task that gives the core back at once. */
static void other_begin(void)
{
    for (;;) {
        turns++;
        l4_do(OTHER, L4_THREAD_YIELD, 0, 0, 0);
    }
}

static void page_item(void)
{
    l4_utcb()->items[0] = WINDOW | L4_ITEM_WRITE;
    l4_utcb()->items[1] = 1;
}

static void capability_item(void)
{
    l4_do(echo.task, L4_TASK_REVOKE, RECEIVED, 1, 0);
    l4_utcb()->items[0] =
        GIVEN << L4_SLOT_SHIFT | L4_ITEM_CAPABILITY | L4_RIGHTS;
    l4_utcb()->items[1] = 0;
}

static void start_children(void)
{
    must("context",
         l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, CONTEXT, 16, 10000));
    must("echo", child_start(&echo, ECHO, CONTEXT));
    must("pager", child_start(&pager, PAGER, CONTEXT));
    must("faulter", child_start(&faulter, FAULTER, CONTEXT));
    must("page", take_pages(WINDOW, 1));
    must("pager's page",
         l4_do(pager.task, L4_TASK_MAP, WINDOW | L4_ITEM_WRITE, WINDOW, 1));
    must("pager", l4_do(faulter.thread, L4_THREAD_PAGER, pager.gate, 0, 0));
    must("task",
         l4_do(faulter.task, L4_TASK_GIVE,
               faulter.task << L4_SLOT_SHIFT | L4_RIGHTS, L4_SLOT_TASK, 0));
    must("start", l4_do(echo.thread, L4_THREAD_START, (uint32_t)echo_begin,
                        (uint32_t)STACK(0), 0));
    must("start", l4_do(pager.thread, L4_THREAD_START, (uint32_t)pager_begin,
                        (uint32_t)STACK(1), 0));
    /* All of this priority: each runs until it waits. */
    l4_do(L4_SLOT_THREAD, L4_THREAD_YIELD, 0, 0, 0);
    must("a log to give", l4_create(L4_SLOT_FACTORY, L4_KIND_LOG, GIVEN, 0, 0));
}

static void yields(void)
{
    uint32_t least = ~0u;

    must("thread", thread_start(OTHER, L4_SLOT_TASK, L4_ROOT_UTCB - 0x10000,
                                CONTEXT, 0, other_begin, STACK(3)));
    for (int n = 0; n < ROUNDS; n++) {
        uint64_t from = l4_cycles();
        uint32_t took;

        l4_do(L4_SLOT_THREAD, L4_THREAD_YIELD, 0, 0, 0);
        took = (uint32_t)(l4_cycles() - from) - clock_cost;
        least = took < least ? took : least;
    }
    must("turns", turns < ROUNDS);
    /* There and back are two switches. */
    say("thread switch %d\n", (int)(least / 2));
    l4_do(OTHER, L4_THREAD_DESTROY, 0, 0, 0);
}

int main(void)
{
    clock_cost = overhead();
    start_children();
    say("null invoke %d\n",
        (int)measure(L4_SLOT_THREAD, L4_TAG(L4_THREAD_NOTHING, 0), 0));
    say("call and reply, 0 words %d\n",
        (int)measure(echo.gate, L4_TAG(0, 0), 0));
    say("call and reply, 64 words %d\n",
        (int)measure(echo.gate, L4_TAG(0, 64), 0));
    say("call and reply, a page %d\n",
        (int)measure(echo.gate, L4_TAG(0, 0) | L4_TAG_ITEMS(1), page_item));
    say("call and reply, a capability %d\n",
        (int)measure(echo.gate, L4_TAG(0, 0) | L4_TAG_ITEMS(1),
                     capability_item));
    must("start", l4_do(faulter.thread, L4_THREAD_START,
                        (uint32_t)faulter_begin, (uint32_t)STACK(2), 0));
    while (!faults_done)
        l4_do(L4_SLOT_THREAD, L4_THREAD_YIELD, 0, 0, 0);
    say("page fault to pager and back %d\n", (int)least_fault);
    yields();
    return 0;
}
