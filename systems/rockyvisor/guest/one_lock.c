/*
 * one_lock.c: for some simulated milliseconds all processors take one lock,
 * change one of 1,000 pages under it, and give it back. None of the changes may
 * be lost, and nobody may wait for ever.
 */
#include "guest/guest.h"

#define PAGES 1000u
#define FIRST 0x1000000u    /* behind all that the guest else has */
#define LAST (PAGE / 4 - 1) /* word of a page */

static struct own {
    u32 state, rounds, wrong;
    u8 rest[PAGE - 12];
} own[PROCESSORS_MAX] __attribute__((aligned(PAGE)));
static struct {
    volatile u32 taken, arrived, ended;
    u8 rest[PAGE - 12];
} lock __attribute__((aligned(PAGE)));

static u32 draw(struct own *o)
{
    o->state ^= o->state << 13;
    o->state ^= o->state >> 17;
    o->state ^= o->state << 5;
    return o->state;
}

static void take(void)
{
    u32 before = 1;

    for (;;) {
        __asm__ volatile("xchgl %0, %1" : "+r"(before), "+m"(lock.taken));
        if (!before)
            return;
        while (lock.taken)
            __asm__ volatile("pause");
    }
}

static void give_back(void)
{
    __asm__ volatile("" : : : "memory");
    lock.taken = 0;
}

/* The page's first and last word are always alike. */
static void change(struct own *o)
{
    volatile u32 *page = (volatile u32 *)(FIRST + draw(o) % PAGES * PAGE);

    take();
    o->wrong += page[0] != page[LAST];
    page[0]++;
    page[LAST]++;
    give_back();
    o->rounds++;
}

/* What all have told. */
static u32 judge(void)
{
    u32 rounds = 0, slowest = -1u, wrong = 0, kept = 0;

    for (u32 n = 0; n < processor_count; n++) {
        rounds += own[n].rounds;
        wrong += own[n].wrong;
        if (own[n].rounds < slowest)
            slowest = own[n].rounds;
    }
    for (u32 n = 0; n < PAGES; n++)
        kept += *(volatile u32 *)(FIRST + n * PAGE);
    print_number("changes: ", rounds, "\n");
    print_number("changes of a processor, mean: ", rounds / processor_count,
                 "\n");
    print_number("changes of the slowest: ", slowest, "\n");
    print_number("changes lost: ", rounds - kept, "\n");
    print_number("pages seen half changed: ", wrong, "\n");
    return wrong || rounds != kept;
}

u32 one_lock(u32 number, u32 ms)
{
    u64 end;

    own[number].state = (number + 1) * 0x9E3779B1u;
    lock_increment(&lock.arrived);
    wait_for(&lock.arrived, processor_count);
    end = time_stamp() + (u64)ms * CYCLES_OF_A_MS;
    while (time_stamp() < end)
        change(&own[number]);
    lock_increment(&lock.ended);
    wait_for(&lock.ended, processor_count);
    return number ? 0 : judge();
}
