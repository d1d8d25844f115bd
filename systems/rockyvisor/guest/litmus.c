/*
 * litmus.c: what two processors may see of each other's loads and stores. The
 * words lie in one page, and in two.
 */
#include "guest/guest.h"

#define ROUNDS 70u
#define STEP 3700u /* cycles */

enum test { STORES, STORES_LOCKED, MESSAGE, LOADS, TESTS };

static const char *const names[TESTS] = {"store buffering",
                                         "store buffering with LOCK",
                                         "message passing", "load buffering"};

static u8 memory[2][PAGE] __attribute__((aligned(PAGE)));
static volatile u32 arrived, seen[2];

/* Both processors wait for each other. */
static void meet(u32 *count)
{
    *count += 2;
    lock_increment(&arrived);
    while (arrived < *count)
        __asm__ volatile("pause");
}

/* Each is first in some rounds: a page moves in about two steps. */
static void pause_for(u32 count)
{
    for (u32 begin = cycles(); cycles() - begin < count;)
        ;
}

static void fence(void)
{
    u32 word = 0;

    lock_increment(&word);
}

static u32 half(enum test test, u32 number, volatile u32 *x, volatile u32 *y)
{
    volatile u32 *own = number ? y : x, *others = number ? x : y;
    u32 first;

    switch (test) {
    case STORES:
    case STORES_LOCKED:
        *own = 1;
        if (test == STORES_LOCKED)
            fence();
        return *others;
    case MESSAGE:
        if (number == 0) {
            *x = 1;
            *y = 1;
            return 0;
        }
        first = *y;
        return first | *x << 1;
    default:
        first = *own;
        *others = 1;
        return first;
    }
}

static bool is_forbidden(enum test test)
{
    switch (test) {
    case STORES:
        return false;
    case STORES_LOCKED:
        return !seen[0] && !seen[1];
    case MESSAGE:
        return seen[1] == 1;
    default:
        return seen[0] && seen[1];
    }
}

static u32 rounds(enum test test, u32 number, bool apart, u32 *count)
{
    volatile u32 *x = (volatile u32 *)memory[0];
    volatile u32 *y = (volatile u32 *)memory[apart] + 16;
    u32 wrong = 0, all = 0;

    for (u32 n = 0; n < ROUNDS; n++) {
        if (number == 0)
            *x = *y = 0;
        meet(count);
        pause_for(number ? n % 7 * STEP : n % 5 * STEP);
        seen[number] = half(test, number, x, y);
        meet(count);
        wrong += is_forbidden(test);
        all |= 1u << (seen[0] | seen[1] << 1);
    }
    if (number)
        return 0;
    print(names[test]);
    print(apart ? ", two pages: " : ", one page: ");
    print_number("", (u32)__builtin_popcount(all), " outcomes, ");
    print_number("", wrong, " forbidden\n");
    return wrong;
}

u32 litmus(u32 number)
{
    u32 count = 0, wrong = 0;

    for (enum test test = STORES; test < TESTS; test++)
        for (u32 apart = 0; apart < 2; apart++)
            wrong += rounds(test, number, apart, &count);
    return wrong;
}
