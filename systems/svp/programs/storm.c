/*
 * storm.c: many families on places drawn by lot, some of which are killed or
 * break, with data of all sizes both ways.
 *
 *     storm TRANSPORT COPY_CORES FAMILIES SEED
 *
 * Each family checks the data that it got and changes it, and the parent
 * checks what comes back. Nothing may be lost, doubled or left over.
 */
#include <stdio.h>
#include <stdlib.h>

#include "transport.h"

enum how { PLAIN, BREAKS, KILLED, HOWS };

struct task {
    int seed, budget; /* families that it may create */
    int count, made;
    int how, lost;
    int *data;
};

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void describe(struct svp_data *data, void *arguments)
{
    struct task *task = arguments;

    SVP_INPUT(data, task->seed);
    SVP_INPUT(data, task->budget);
    SVP_INPUT(data, task->how);
    SVP_INPUT(data, task->count);
    SVP_INOUTS(data, task->data, (size_t)task->count);
    SVP_OUTPUT(data, task->made);
    SVP_OUTPUT(data, task->lost);
}

static void work(int index, void *arguments);
static const struct svp_function works = {.name = "task",
                                          .run = work,
                                          .describe = describe,
                                          .arguments = sizeof(struct task),
                                          .globals = 1,
                                          .shared = 1};

struct open {
    svp_family family;
    struct task task;
    int at;
};

static svp_place anywhere(unsigned *seed)
{
    svp_place place = svp_place_of((int)(next(seed) % (unsigned)svp_places()));

    return next(seed) % 4 ? place
                          : svp_exclusive(place, 1 + (int)(next(seed) % 3));
}

static void open_one(struct open *open, unsigned *seed, int budget)
{
    static const int sizes[] = {0, 1, 7, 31, 33, 200, 1000, 5000};
    struct task *task = &open->task;

    task->seed = (int)next(seed);
    task->budget = budget;
    task->how = next(seed) % 8 ? PLAIN : next(seed) % 2 ? BREAKS : KILLED;
    task->count = sizes[next(seed) % 8];
    task->made = task->lost = 0;
    task->data = svp_alloc((size_t)task->count * sizeof(int));
    for (int n = 0; n < task->count; n++)
        task->data[n] = task->seed + n;
    /* A family that waits must not hold an exclusive place: others may wait
     * for it in a ring. */
    svp_create(&open->family,
               budget ? svp_place_of((int)(next(seed) % (unsigned)svp_places()))
                      : anywhere(seed),
               0, 3, 1, 1 + (int)(next(seed) % 3), &works, task);
    svp_put_global(&open->family, 0, svp_int(task->seed));
    svp_put_shared(&open->family, 0, svp_int(0));
    if (task->how == KILLED)
        svp_kill(&open->family);
}

/* What is wrong with a family that has ended. */
static int close_one(struct open *open)
{
    struct task *task = &open->task;
    enum svp_exit ended = svp_sync(&open->family);
    int wrong = 0;

    if (task->how != KILLED) {
        wrong += ended != (task->how == BREAKS ? SVP_BROKEN : SVP_DONE);
        for (int n = 0; n < task->count; n++)
            wrong += task->data[n] != task->seed + n + 1;
        wrong += task->lost;
    }
    if (task->how == PLAIN)
        wrong += open->family.shared[0].i != 3;
    if (task->how == BREAKS)
        wrong += open->family.broken_by.i != task->seed;
    svp_free(task->data);
    return wrong;
}

/* Creates families until none is left to create; waits for them in the order
 * in which they were created. */
static void create_some(unsigned *seed, int budget, int *made, int *lost)
{
    struct open open[6];
    int opened = 0;

    while (budget > 0 && opened < 6) {
        int deeper = budget > 1 ? (int)(next(seed) % (unsigned)budget) : 0;

        if (opened == 5)
            deeper = budget - 1;
        open_one(&open[opened++], seed, deeper);
        budget -= 1 + deeper;
    }
    for (int n = 0; n < opened; n++) {
        *lost += close_one(&open[n]);
        *made += 1 + open[n].task.made;
    }
}

static void work(int index, void *arguments)
{
    struct task *task = arguments;
    int before = (int)svp_shared(0).i;

    if (index == 0) {
        unsigned seed = (unsigned)task->seed;

        task->lost += svp_global(0).i != task->seed;
        for (int n = 0; n < task->count; n++)
            task->lost += task->data[n]++ != task->seed + n;
        create_some(&seed, task->budget, &task->made, &task->lost);
    }
    while (task->how == KILLED)
        svp_yield();
    svp_pass_shared(0, svp_int(before + 1));
    if (task->how == BREAKS && index == 2)
        svp_break(svp_int(task->seed));
}

/* The families that ran on a place. */
static void count(int index, void *arguments)
{
    (void)index;
    const struct svp_counts *counts = svp_counts();
    svp_value *sum = arguments;

    sum[0].i = counts->families;
    sum[1].i = counts->killed;
    sum[2].i = counts->broken;
}

static void describe_count(struct svp_data *data, void *arguments)
{
    svp_value *sum = arguments;

    for (int n = 0; n < 3; n++)
        SVP_OUTPUT(data, sum[n].i);
}

static const struct svp_function counts = {.name = "count",
                                           .run = count,
                                           .describe = describe_count,
                                           .arguments = 3 * sizeof(svp_value)};

int main(int argc, char **argv)
{
    int made = 0, lost = 0, families, ran = 0, killed = 0, broken = 0;
    unsigned seed;

    if (argc != 5) {
        fprintf(stderr, "storm TRANSPORT COPY_CORES FAMILIES SEED\n");
        return 2;
    }
    families = atoi(argv[3]);
    seed = (unsigned)atoi(argv[4]);
    svp_start(transport_of(argv[1]), atoi(argv[2]));
    while (ran < families) {
        int some = families - ran < 100 ? families - ran : 100;

        create_some(&seed, some, &made, &lost);
        ran += some;
    }
    ran = 0;
    for (int n = 0; n < svp_places(); n++) {
        svp_value sum[3] = {{0}, {0}, {0}};
        svp_family family;

        svp_create(&family, svp_place_of(n), 0, 1, 1, 0, &counts, sum);
        svp_sync(&family);
        ran += (int)sum[0].i - 1;
        killed += (int)sum[1].i;
        broken += (int)sum[2].i;
    }
    int left = svp_end();
    /* Killed families do not report what they made. */
    printf("families %d ran %d killed %d broken %d wrong %d left over %d\n",
           families, ran, killed, broken, lost, left);
    return lost != 0 || left != 0 || made > ran;
}
