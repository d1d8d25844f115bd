/*
 * latency.c: a root task that measures for how long an operation of the kernel
 * keeps interrupts off. A thread of the highest priority sleeps for a few
 * microseconds, again and again, while the first thread repeats the operation:
 * how much later than asked for the sleeper wakes, at most, beyond what it is
 * late while nobody is in the kernel.
 */
#include "lib/l4.h"

#define PAGE 4096u
#define ROUNDS 60
#define PAGES 0x10000000u /* 64 pages of this task's */
#define RANGE 64
#define OTHER 0x20000000u /* where children have them */
#define SLEEP_US 7
#define TABLES 64
#define MANY 100 /* capabilities and threads of a task that ends */

enum {
    LOW = L4_SLOT_FREE, /* contexts */
    HIGH,
    SLEEPER,
    ECHO, /* task, thread, gate */
    VICTIM = ECHO + 3,
    PORT,
    GIVEN,
    LINES = GIVEN,
};

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static char stacks[2][4096] __attribute__((aligned(16)));
static volatile uint32_t latest;
static struct child echo;

static void must(const char *what, int32_t result)
{
    if (result) {
        say("%s: error %d\n", what, (int)result);
        halt(1);
    }
}

static void sleeper(void)
{
    struct l4_message m;

    for (;;) {
        uint64_t from = l4_cycles();
        uint32_t took;

        l4_invoke(0, L4_WAIT(L4_RECEIVE, SLEEP_US), &m);
        took = (uint32_t)(l4_cycles() - from) - SLEEP_US * boot->megahertz;
        if (took > latest)
            latest = took;
    }
}

/* Takes what comes at one place, and gives it up again. */
static void echo_begin(void)
{
    struct l4_message m = {0};
    uint32_t mode = L4_RECEIVE;

    for (;;) {
        l4_utcb()->page_window = OTHER;
        l4_utcb()->page_window_pages = L4_PAGES_MAX;
        l4_invoke(0, mode | L4_FOREVER, &m);
        m.tag = L4_TAG(0, 64);
        mode = L4_REPLY_WAIT;
    }
}

static void compute(void)
{
    for (volatile int n = 0; n < 2000; n++)
        ;
}

static void send_words(void)
{
    struct l4_message m = {L4_TAG(0, 64), {0, 0, 0}, 0};

    l4_call(echo.gate, &m);
}

static void send_pages(void)
{
    struct l4_message m = {L4_TAG(0, 0) | L4_TAG_ITEMS(1), {0, 0, 0}, 0};

    l4_utcb()->items[0] = PAGES | L4_ITEM_WRITE;
    l4_utcb()->items[1] = L4_PAGES_MAX;
    must("pages", l4_call(echo.gate, &m));
}

static void unmap(uint32_t pages)
{
    must("unmap", l4_do(L4_SLOT_TASK, L4_TASK_UNMAP, PAGES, pages, 0));
}

static void send_and_unmap(void)
{
    send_pages();
    unmap(L4_PAGES_MAX);
}

/* More than one entry of the kernel takes back. */
static void map_and_unmap(void)
{
    must("map", l4_do(echo.task, L4_TASK_MAP, PAGES, OTHER, RANGE));
    unmap(RANGE);
}

static void make_and_end(void)
{
    must("task", l4_create(L4_SLOT_FACTORY, L4_KIND_TASK, VICTIM, 0, 0));
    for (uint32_t n = 0; n < TABLES; n++)
        l4_do(VICTIM, L4_TASK_MAP, PAGES, OTHER + (n << 22), 1);
    for (uint32_t n = 1; n < MANY; n++)
        l4_do(VICTIM, L4_TASK_GIVE, GIVEN << L4_SLOT_SHIFT | L4_RIGHTS, n, 0);
    must("end", l4_do(VICTIM, L4_TASK_DESTROY, 0, 0, 0));
    must("revoke", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, VICTIM, 1, 0));
}

static void give_and_revoke(void)
{
    for (uint32_t n = 10; n < MANY; n++)
        l4_do(echo.task, L4_TASK_GIVE, GIVEN << L4_SLOT_SHIFT | L4_RIGHTS, n,
              0);
    must("revoke", l4_do(L4_SLOT_TASK, L4_TASK_REVOKE, GIVEN, 0, 0));
}

static void write_a_line(void)
{
    uint32_t length = (L4_WORDS_MAX - 3) * 4;
    struct l4_message m = {L4_TAG(L4_LOG_WRITE, 64), {length, 0, 0}, 0};

    memset(l4_utcb()->words + 3, ' ', length);
    l4_call(PORT, &m);
}

static void write_to_log(void)
{
    struct l4_message m = {L4_TAG(L4_LOG_WRITE, 30), {100, 0, 0}, 0};

    memset(l4_utcb()->words + 3, ' ', 99);
    ((char *)(l4_utcb()->words + 3))[99] = '\n';
    l4_call(LINES, &m);
}

static void flush_l1(void)
{
    static uint32_t dirty[4096];

    for (uint32_t n = 0; n < 4096; n += 8)
        dirty[n] = n;
    l4_do(L4_SLOT_CORE, L4_CORE_FLUSH, 0, 0, 0);
}

static uint32_t lateness(void (*operation)(void))
{
    latest = 0;
    for (int n = 0; n < ROUNDS; n++)
        operation();
    return latest;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*operation)(void);
    } all[] = {
        {"a message of 64 words", send_words},
        {"a message with 16 pages, and unmapping them", send_and_unmap},
        {"64 pages, and unmapping them", map_and_unmap},
        {"90 capabilities, and revoking them", give_and_revoke},
        {"a task with 64 page tables and 99 capabilities, and its end",
         make_and_end},
        {"244 bytes to a serial port", write_a_line},
        {"a line of a log", write_to_log},
        {"flushing L1", flush_l1},
    };
    uint32_t least;

    must("low", l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, LOW, 12, 10000));
    must("high", l4_create(L4_SLOT_FACTORY, L4_KIND_CONTEXT, HIGH, 31, 10000));
    must("pages", take_pages(PAGES, RANGE));
    must("echo", child_start(&echo, ECHO, LOW));
    must("log", l4_create(L4_SLOT_FACTORY, L4_KIND_LOG, GIVEN, 'g', 0));
    l4_utcb()->words[5] = 0;
    l4_utcb()->words[6] = L4_LOG_PORT2;
    must("log", l4_create(L4_SLOT_FACTORY, L4_KIND_LOG, PORT, 0, 0));
    must("start", l4_do(echo.thread, L4_THREAD_START, (uint32_t)echo_begin,
                        (uint32_t)(stacks[0] + sizeof(stacks[0])), 0));
    must("sleeper",
         thread_start(SLEEPER, L4_SLOT_TASK, L4_ROOT_UTCB - 0x10000, HIGH, 0,
                      sleeper, stacks[1] + sizeof(stacks[1])));
    lateness(compute);
    least = lateness(compute);
    for (uint32_t n = 0; n < sizeof(all) / sizeof(all[0]); n++)
        say("%s %d\n", all[n].name, (int)(lateness(all[n].operation) - least));
    halt(0);
    return 0;
}
