// A store that no cache takes goes on its way while the core goes on: two
// requests may be under way, in order; LOCK waits for the first of them. Stores
// of one line wait for each other, on the bus and in L2.
// cc: -O1
// run: -n 1
// mutant: read-passes-a-posted-store
// mutant: lock-does-not-drain
// mutant: posted-store-never-acknowledged
// mutant: a-store-waits-for-l2
// mutant: the-bus-takes-a-line-again-at-once
// mutant: l2-takes-a-line-again-at-once
// mutant: stores-of-all-lines-wait
// expect-stdout:
// the core does not wait for a store
// of many, each waits for the one before the last
// a read that misses waits until the store before it is on its way
// LOCK waits for it
// of one line, each waits until the one before it is acknowledged
// nor does the core wait for a store that L2 has
// of one line, each waits for the one before it in L2
// a read sees what was stored
#include "chip.h"

#define PLACE (SHARED_DRAM + 0x60000u)
#define PAGE_BYTES 4096
#define STORES 16

static uint32_t now(void)
{
    uint32_t low;

    __asm__ volatile("rdtsc" : "=a"(low) : : "edx", "memory");
    return low;
}

/* Cycles of `action` at its best: then its code is in L1I. */
#define CYCLES(action)                            \
    ({                                            \
        uint32_t best = UINT32_MAX;               \
        for (int turn = 0; turn < 5; turn++) {    \
            quiet();                              \
            uint32_t before = now();              \
            action;                               \
            uint32_t cycles = now() - before;     \
            best = cycles < best ? cycles : best; \
        }                                         \
        best;                                     \
    })

/* Long enough for any store to be acknowledged. */
static void quiet(void)
{
    uint32_t before = now();

    while (now() - before < 2000)
        ;
}

static word *memory;
static word lines[64 * LINE_WORDS] __attribute__((aligned(LINE)));

static void store(int count)
{
    for (int i = 0; i < count; i++)
        memory[i * LINE_WORDS] = (uint32_t)i;
}

static void fill(word *line, int count)
{
    for (int i = 0; i < count; i++)
        line[i] = (uint32_t)i;
}

/* Five lines of one set of L1D, which has four ways: L2 has the first. */
static uint32_t leave_to_l2(const word *set)
{
    uint32_t sum = 0;

    for (int turn = 0; turn < 5 * 3; turn++)
        sum += set[turn % 5 * PAGE_BYTES / sizeof(*set)];
    return sum;
}

static void lock(void)
{
    __asm__ volatile("lock incl %0" : "+m"(lines[0]) : : "memory");
}

int main(void)
{
    memory = map_cached(PLACE, PAGE_BYTES);
    word *unread = map_cached(PLACE + PAGE_BYTES, PAGE_BYTES);
    uint32_t sum = memory[1023] + unread[0];

    lock();
    uint32_t none = CYCLES(store(0)), one = CYCLES(store(1));
    CHECK(one - none < 20);
    puts("the core does not wait for a store");

    /* A single one takes 86 core cycles and more, there and back. */
    uint32_t many = (CYCLES(store(STORES)) - none) / STORES;
    CHECK(many > 38 && many < 80);
    puts("of many, each waits for the one before the last");

    int line = 1;
    uint32_t read = CYCLES(sum += unread[line++ * LINE_WORDS]);
    uint32_t both = CYCLES((store(1), sum += unread[line++ * LINE_WORDS]));
    CHECK(both > read + 15);
    puts("a read that misses waits until the store before it is on its way");

    uint32_t locked = CYCLES(lock());
    CHECK(CYCLES((store(1), lock())) > locked + (one - none) + 8);
    puts("LOCK waits for it");

    word *line_of_one = memory + PAGE_BYTES / 2 / sizeof(*memory);
    uint32_t nothing = CYCLES(fill(line_of_one, 0));
    uint32_t same = CYCLES(fill(line_of_one, LINE_WORDS)) - nothing;
    CHECK(same > LINE_WORDS * (many + 20) && same < LINE_WORDS * 120);
    puts("of one line, each waits until the one before it is acknowledged");

    word *set = map_cached(PLACE + 2 * PAGE_BYTES, 5 * PAGE_BYTES);
    sum += leave_to_l2(set);
    uint32_t into_l2 = CYCLES(set[0] = 54321);
    CHECK(into_l2 < none + 8 && set[0] == 54321);
    puts("nor does the core wait for a store that L2 has");

    sum += leave_to_l2(set);
    uint32_t in_l2 = CYCLES(fill(set, LINE_WORDS)) - nothing;
    CHECK(in_l2 > (LINE_WORDS - 1) * 16 && in_l2 < LINE_WORDS * 20);
    puts("of one line, each waits for the one before it in L2");

    memory[512] = 12345;
    CHECK(memory[512] == 12345 && sum + 1 != 0);
    puts("a read sees what was stored");
    return 0;
}
