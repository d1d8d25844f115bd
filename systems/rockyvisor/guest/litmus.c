/*
 * litmus.c: in which orders processors may see each other's loads and stores.
 * The words x and y lie in one page, and in two; stores are MOV, or XCHG, which
 * locks. The processors form groups, one for each copy of a test.
 */
#include "guest/guest.h"

#define ROUNDS 280u
#define BATCH 64u  /* rounds that are played before somebody looks at them */
#define STEP 3700u /* cycles */
#define ROLES_MAX 4u
#define LOADS_MAX 2u
#define GROUPS_MAX 4u
#define VALUES 3u /* 0, 1, 2 */
#define OUTCOMES 729u
#define WORDS (PAGE / sizeof(u32))

/*
 * What each role does: Wx1 stores 1 to x, Rx loads x. `forbidden`: what x86 never
 * shows, the loads in this order, then x and y at the end; . is any value.
 */
static const struct test {
    const char *name, *roles[ROLES_MAX], *forbidden;
    bool allowed_without_lock;
} tests[] = {
    {"independent reads", {"Wx1", "Wy1", "RxRy", "RyRx"}, "1010..", false},
    {"store buffering", {"Wx1Ry", "Wy1Rx"}, "00..", true},
    {"message passing", {"Wx1Wy1", "RyRx"}, "10..", false},
    {"load buffering", {"RxWy1", "RyWx1"}, "11..", false},
    {"two stores each", {"Wx1Wy2", "Wy1Wx2"}, "11", false},
};
#define TESTS (sizeof(tests) / sizeof(tests[0]))

/* One way of a test, as one processor plays it; each round has its own x and y. */
struct way {
    const struct test *test;
    bool locked, apart;
    u32 roles, role;
    struct group *group;
    volatile u32 *arrived;
    u32 expected; /* to have arrived */
};

struct seen {
    u32 rounds, wrong, outcomes[(OUTCOMES + 31) / 32];
};

/* The memory of one group: its pages move between the group's processors alone,
 * and each has its purpose and writers. */
static struct group {
    volatile u32 memory[2][WORDS];
    volatile u32 loaded[ROLES_MAX][WORDS];
    volatile u32 arrived[WORDS]; /* in each way */
    struct seen seen[4 * TESTS] __attribute__((aligned(PAGE)));
} groups[GROUPS_MAX] __attribute__((aligned(PAGE)));
static volatile u32 finished[WORDS] __attribute__((aligned(PAGE)));

static volatile u32 *place(const struct way *w, u32 round, char name)
{
    u32 words = WORDS / BATCH, first = round % BATCH * words;

    return &w->group->memory[name == 'y' && w->apart]
                            [first + (name == 'y') * words / 2];
}

static volatile u32 *loads(const struct way *w, u32 round, u32 role)
{
    return &w->group->loaded[role][round % BATCH * LOADS_MAX];
}

/* A processor that waits lets time pass between two looks, so that others get the page. */
static void wait_for_count(volatile u32 *word, u32 count)
{
    while (*word < count)
        for (u32 n = 0; n < STEP / 12; n++)
            __asm__ volatile("");
}

/* All who have a role in the group wait for each other. */
static void meet(struct way *w)
{
    w->expected += w->roles;
    lock_increment(w->arrived);
    wait_for_count(w->arrived, w->expected);
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

static void play(const struct way *w, u32 round)
{
    volatile u32 *into = loads(w, round, w->role);

    for (const char *step = w->test->roles[w->role]; *step;) {
        volatile u32 *at = place(w, round, step[1]);

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

static void look(const struct way *w, u32 round, struct seen *seen)
{
    const char *pattern = w->test->forbidden;
    u32 outcome = 0, right = 0;

    for (u32 role = 0; role < w->roles; role++) {
        volatile u32 *from = loads(w, round, role);

        for (const char *step = w->test->roles[role]; *step; step++)
            if (*step == 'R')
                right += !fits(&pattern, *from++, &outcome);
    }
    right += !fits(&pattern, *place(w, round, 'x'), &outcome);
    right += !fits(&pattern, *place(w, round, 'y'), &outcome);
    seen->rounds++;
    seen->outcomes[outcome / 32] |= 1u << outcome % 32;
    seen->wrong += !right && (w->locked || !w->test->allowed_without_lock);
}

static void play_batch(struct way *w, u32 rounds)
{
    static const u32 apart_by[ROLES_MAX] = {5, 7, 3, 4};

    for (u32 n = 0; n < rounds; n++) {
        meet(w);
        pause_for(n % apart_by[w->role] * STEP);
        play(w, n);
    }
    meet(w);
}

static void play_rounds(struct way *w, struct seen *seen, u32 rounds)
{
    for (u32 batch; rounds; rounds -= batch) {
        batch = rounds < BATCH ? rounds : BATCH;
        if (w->role == 0)
            for (u32 n = 0; n < batch; n++)
                *place(w, n, 'x') = *place(w, n, 'y') = 0;
        play_batch(w, batch);
        if (w->role == 0)
            for (u32 n = 0; n < batch; n++)
                look(w, n, seen);
    }
}

static u32 report(const struct way *w, u32 number, u32 group_count)
{
    u32 outcomes = 0, rounds = 0, wrong = 0;

    for (u32 n = 0; n < OUTCOMES; n++) {
        u32 any = 0;

        for (u32 group = 0; group < group_count; group++)
            any |= groups[group].seen[number].outcomes[n / 32] >> n % 32 & 1;
        outcomes += any;
    }
    for (u32 group = 0; group < group_count; group++) {
        rounds += groups[group].seen[number].rounds;
        wrong += groups[group].seen[number].wrong;
    }
    print(w->test->name);
    print(w->locked ? " with LOCK" : "");
    print(w->apart ? ", two pages: " : ", one page: ");
    print_number("", rounds, " rounds, ");
    print_number("", outcomes, " outcomes, ");
    print_number("", wrong, " forbidden\n");
    return wrong;
}

static u32 role_count(const struct test *test)
{
    u32 count = 0;

    while (count < ROLES_MAX && test->roles[count])
        count++;
    return count;
}

/* A group's processors are as far from each other as possible. */
static u32 one_way(u32 way, u32 number, u32 rounds, u32 *count)
{
    const struct test *test = &tests[way / 4];
    u32 roles = role_count(test), stride = processor_count / roles;
    u32 group_count = stride < GROUPS_MAX ? stride : GROUPS_MAX;
    u32 group = stride ? number % stride : 0;
    struct way w = {
        .test = test,
        .locked = way & 2,
        .apart = way & 1,
        .roles = roles,
        .role = stride ? number / stride : 0,
        .group = &groups[group],
        .arrived = &groups[group].arrived[way],
    };

    if (!stride)
        return 0;
    if (group < group_count && w.role < roles)
        play_rounds(&w, &groups[group].seen[way],
                    (rounds + group_count - 1) / group_count);
    *count += processor_count;
    lock_increment(finished);
    wait_for_count(finished, *count);
    return number ? 0 : report(&w, way, group_count);
}

u32 litmus(u32 number, u32 rounds)
{
    u32 count = 0, wrong = 0;

    for (u32 way = 0; way < 4 * TESTS; way++)
        wrong += one_way(way, number, rounds ? rounds : ROUNDS, &count);
    return wrong;
}
