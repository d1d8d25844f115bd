/*
 * litmus.c: in which orders processors may see each other's loads and stores.
 * The words x and y lie in one page, and in two; stores are MOV, or XCHG, which
 * locks.
 */
#include "guest/guest.h"

#define ROUNDS 70u
#define STEP 3700u /* cycles */
#define ROLES_MAX 4u
#define LOADS_MAX 2u
#define VALUES 3u /* 0, 1, 2 */
#define OUTCOMES 729u

/*
 * What each role does: Wx1 stores 1 to x, Rx loads x. `forbidden`: what x86 never
 * shows, the loads in this order, then x and y at the end; . is any value.
 */
static const struct test {
    const char *name, *roles[ROLES_MAX], *forbidden;
    bool allowed_without_lock;
} tests[] = {
    {"store buffering", {"Wx1Ry", "Wy1Rx"}, "00..", true},
    {"message passing", {"Wx1Wy1", "RyRx"}, "10..", false},
    {"load buffering", {"RxWy1", "RyWx1"}, "11..", false},
    {"two stores each", {"Wx1Wy2", "Wy1Wx2"}, "11", false},
    {"independent reads", {"Wx1", "Wy1", "RxRy", "RyRx"}, "1010..", false},
};
#define TESTS (sizeof(tests) / sizeof(tests[0]))

/* One way of a test, and what came of it. */
struct way {
    const struct test *test;
    bool locked, apart;
    u32 roles, wrong, outcomes[(OUTCOMES + 31) / 32];
};

static u8 memory[2][PAGE] __attribute__((aligned(PAGE)));
static volatile u32 arrived, loaded[ROLES_MAX][LOADS_MAX];

static volatile u32 *place(const struct way *w, char name)
{
    if (name == 'x')
        return (volatile u32 *)memory[0];
    return (volatile u32 *)memory[w->apart] + 16;
}

static void wait_for_arrivals(u32 count)
{
    while (arrived < count)
        __asm__ volatile("pause");
}

/* All who have a role wait for each other. */
static void meet(const struct way *w, u32 *count)
{
    *count += w->roles;
    lock_increment(&arrived);
    wait_for_arrivals(*count);
}

/* Each is first in some rounds: a page moves in about two steps. */
static void pause_for(u32 count)
{
    for (u32 begin = cycles(); cycles() - begin < count;)
        ;
}

static void store(volatile u32 *at, u32 value, bool locked)
{
    if (locked)
        __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at));
    else
        *at = value;
}

static void play(const struct way *w, u32 role)
{
    volatile u32 *into = loaded[role];

    for (const char *step = w->test->roles[role]; *step;) {
        volatile u32 *at = place(w, step[1]);

        if (*step == 'W') {
            store(at, (u32)(step[2] - '0'), w->locked);
            step += 3;
        } else {
            *into++ = *at;
            step += 2;
        }
    }
}

/* Whether the value is the pattern's next one, and the outcome's number with it. */
static bool fits(const char **pattern, u32 value, u32 *outcome)
{
    char wanted = *(*pattern)++;

    *outcome = *outcome * VALUES + value;
    return wanted == '.' || value == (u32)(wanted - '0');
}

static void look(struct way *w)
{
    const char *pattern = w->test->forbidden;
    u32 outcome = 0, right = 0;

    for (u32 role = 0; role < w->roles; role++) {
        volatile u32 *from = loaded[role];

        for (const char *step = w->test->roles[role]; *step; step++)
            if (*step == 'R')
                right += !fits(&pattern, *from++, &outcome);
    }
    right += !fits(&pattern, *place(w, 'x'), &outcome);
    right += !fits(&pattern, *place(w, 'y'), &outcome);
    w->outcomes[outcome / 32] |= 1u << outcome % 32;
    w->wrong += !right && (w->locked || !w->test->allowed_without_lock);
}

static void report(const struct way *w)
{
    u32 outcomes = 0;

    for (u32 n = 0; n < OUTCOMES; n++)
        outcomes += w->outcomes[n / 32] >> n % 32 & 1;
    print(w->test->name);
    print(w->locked ? " with LOCK" : "");
    print(w->apart ? ", two pages: " : ", one page: ");
    print_number("", outcomes, " outcomes, ");
    print_number("", w->wrong, " forbidden\n");
}

static u32 play_rounds(struct way *w, u32 role, u32 rounds, u32 *count)
{
    static const u32 apart_by[ROLES_MAX] = {5, 7, 3, 4};

    for (u32 n = 0; n < rounds; n++) {
        if (role == 0)
            *place(w, 'x') = *place(w, 'y') = 0;
        meet(w, count);
        pause_for(n % apart_by[role] * STEP);
        play(w, role);
        meet(w, count);
        if (role == 0)
            look(w);
    }
    if (role == 0)
        report(w);
    return w->wrong;
}

static u32 role_count(const struct test *test)
{
    u32 count = 0;

    while (count < ROLES_MAX && test->roles[count])
        count++;
    return count;
}

/* Who has a role is as far from the others as possible. */
static u32 one_way(struct way *w, u32 number, u32 rounds, u32 *count)
{
    u32 stride = processor_count / w->roles;

    if (number % stride == 0 && number / stride < w->roles)
        return play_rounds(w, number / stride, rounds, count);
    *count += 2 * rounds * w->roles;
    wait_for_arrivals(*count);
    return 0;
}

u32 litmus(u32 number, u32 rounds)
{
    u32 count = 0, wrong = 0;

    for (u32 n = 0; n < 4 * TESTS; n++) {
        struct way w = {.test = &tests[n / 4],
                        .locked = n & 2,
                        .apart = n & 1,
                        .roles = role_count(&tests[n / 4])};

        if (w.roles <= processor_count)
            wrong += one_way(&w, number, rounds ? rounds : ROUNDS, &count);
    }
    return wrong;
}
