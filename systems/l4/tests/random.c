/*
 * random.c: a root task whose children invoke whatever they have with random
 * numbers. Each child has its own task, thread, a factory with a small share
 * and a gate; it is destroyed after a while, and nothing may be left of it.
 *
 * On the command line (random_invokes.py): children=N, first=N, the number of
 * the first child, which decides what it does.
 */
#include "lib/l4.h"
#include "lib/options.h"

#define CHILDREN 25
#define INVOCATIONS 2000
#define WAIT_US 20000 /* for a child that does not end by itself */
#define MESSAGES \
    4000 /* of a child: its faults come here without an end, if it
                       * has made this thread its pager */

enum {
    CONTEXT = L4_SLOT_FREE,
    SMALL, /* the child's factory */
    OWN,   /* gate of this thread */
    CHILD, /* task, thread, gate */
};

/* What a child finds in its slots. */
enum { C_TASK = 1, C_THREAD, C_FACTORY, C_GATE, C_SLOTS };

static char stack[4096] __attribute__((aligned(16)));
static volatile uint32_t seed, invocations;
static struct child child;

static uint32_t any(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

/* A number that may mean something, or any. */
static uint32_t number(void)
{
    switch (any() % 8) {
    case 0:
        return any();
    case 1:
        return any() % 16 << L4_SLOT_SHIFT | (any() & 0xFFF);
    case 2:
        return 0x400000 + (any() % 32 << 12) + (any() & L4_ITEM_WRITE);
    case 3:
        return 0xFFFFFFFF - any() % 8;
    case 4:
        return 0x10000000 + (any() % 16 << 12);
    default:
        return any() % 20;
    }
}

static void begin(void)
{
    struct l4_message m;

    for (int n = 0; n < INVOCATIONS; n++) {
        uint32_t mode = any() % 16 ? any() % 5 : any() % 8;

        m.tag = L4_TAG(any() % 10, any() % 16 ? any() % 8 : any() % 128) |
                L4_TAG_ITEMS(any() % 4 ? 0 : any() % 32);
        m.words[0] = number();
        m.words[1] = number();
        m.words[2] = number();
        for (int k = 3; k < 8; k++)
            l4_utcb()->words[k] = number();
        for (int k = 0; k < 4; k++)
            l4_utcb()->items[k] = number();
        l4_utcb()->page_window = number() & ~0xFFFu;
        l4_utcb()->page_window_pages = number();
        l4_utcb()->slot_window = number();
        l4_utcb()->slot_window_count = number();
        invocations++;
        l4_invoke(any() % 16 ? any() % 12 : number(), L4_WAIT(mode, any() % 30),
                  &m);
    }
    for (;;)
        l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);
}

static void must(const char *what, int32_t result)
{
    if (result) {
        say("%s: error %d\n", what, (int)result);
        halt(1);
    }
}

static uint32_t share_left(void)
{
    struct l4_message m = {L4_TAG(L4_FACTORY_FREE, 0), {0, 0, 0}, 0};

    must("free", l4_call(L4_SLOT_FACTORY, &m));
    return m.words[0];
}

static void give(uint32_t from, uint32_t to)
{
    must("give", l4_do(child.task, L4_TASK_GIVE,
                       from << L4_SLOT_SHIFT | L4_RIGHTS, to, 0));
}

static void run_child(void)
{
    struct l4_message m;

    must("factory",
         l4_create(L4_SLOT_FACTORY, L4_KIND_FACTORY, SMALL, 150000, 8));
    must("child", child_start(&child, CHILD, CONTEXT));
    give(child.task, C_TASK);
    give(child.thread, C_THREAD);
    give(SMALL, C_FACTORY);
    give(OWN, C_GATE);
    must("start", l4_do(child.thread, L4_THREAD_START, (uint32_t)begin,
                        (uint32_t)(stack + sizeof(stack)), 0));
    /* The child's messages are taken and answered until it is silent. */
    for (int n = 0; n < MESSAGES; n++) {
        if (l4_invoke(0, L4_WAIT(L4_RECEIVE, WAIT_US), &m))
            break;
        m.tag = 0;
        l4_invoke(0, L4_WAIT(L4_REPLY, 0), &m);
    }
    must("end", l4_do(child.task, L4_TASK_DESTROY, 0, 0, 0));
}

int main(void)
{
    uint32_t before, asked = option("children="), first = option("first=") + 1;
    uint32_t end = first + (asked ? asked : CHILDREN);

    must("context",
         l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, CONTEXT, 8, 1000));
    must("gate",
         l4_create(L4_SLOT_FACTORY, L4_KIND_GATE, OWN, L4_SLOT_THREAD, 0));
    before = share_left();
    for (uint32_t n = first; n < end; n++) {
        seed = n * 2654435761u;
        run_child();
        for (uint32_t slot = SMALL; slot < CHILD + 3; slot++)
            if (slot != OWN)
                l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, slot, 1, 0);
        if (share_left() != before) {
            say("child %d left %d bytes\n", (int)n - 1,
                (int)(before - share_left()));
            before = share_left();
        }
    }
    if (asked)
        say("%d invocations, the kernel stands\n", (int)invocations);
    else
        say("%s invocations, the kernel stands\n",
            invocations > CHILDREN * 100 ? "thousands of" : "too few");
    return 0;
}
