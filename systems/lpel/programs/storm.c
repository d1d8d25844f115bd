/*
 * storm.c: many tasks on all workers: nothing lost, doubled or left.
 *
 *   storm VARIANT TASKS SEED
 *
 * Gardeners plant chains of tasks: a source, some stages and a sink, on
 * random ranks or anywhere, with streams of one to three messages, so that
 * most are full. Every fifth chain loses one of its tasks to lpel_kill. A
 * sink sums what comes and notifies the gardener; chains that nobody harmed
 * must give exactly what their source has sent, the others no more.
 */
#include "lpel.h"

#include <stdio.h>
#include <stdlib.h>

#define STAGES 3   /* at most */
#define MESSAGES 6 /* of a chain, at most */
#define GARDENS 8  /* at most, one a worker */
#define BEDS 6     /* chains at a time in each */
#define KILLED 5   /* every fifth */

static int tasks_wanted;
static uint32_t seed;

static uint32_t next(uint32_t *random, uint32_t below)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 8) % below;
}

struct link {
    lpel_stream *in, *out;
    uint32_t chain, messages, random;
};

struct note { /* from a chain's sink */
    uint32_t chain, count, sum, order;
};

static void source(void *argument)
{
    struct link *link = argument;

    for (uint32_t n = 0; n < link->messages; n++) {
        uint32_t *message = lpel_malloc(4 * (1 + next(&link->random, 100)));

        *message = n;
        if (lpel_write(link->out, message) == LPEL_CLOSED)
            return;
    }
}

static void stage(void *argument)
{
    struct link *link = argument;
    void *message;

    while ((message = lpel_read(link->in)))
        if (lpel_write(link->out, message) == LPEL_CLOSED)
            return;
}

static void sink(void *argument)
{
    struct link *link = argument;
    struct note *note = lpel_malloc(sizeof *note);
    uint32_t *message;

    *note = (struct note){.chain = link->chain};
    while ((message = lpel_read(link->in))) {
        note->order += *message != note->count;
        note->count++;
        note->sum += *message;
        lpel_free(message);
    }
    lpel_write(link->out, note);
}

static uint32_t start(const char *name, void (*function)(void *),
                      const struct link *link, uint32_t *random)
{
    uint32_t ranks = (uint32_t)lpel_ranks();
    int home = next(random, 2) ? LPEL_ANY : 1 + (int)next(random, ranks - 1);
    lpel_task *task = lpel_task_new(name, function, link, sizeof *link, home);

    if (link->in)
        lpel_input(task, link->in);
    lpel_output(task, link->out);
    return lpel_start(task);
}

struct bed {
    lpel_stream *note;
    uint32_t messages, harmed, tasks;
};

static void plant(struct bed *bed, uint32_t chain, uint32_t *random)
{
    struct link link = {.chain = chain, .random = chain * 7919 + seed};
    uint32_t number[STAGES + 1], stages = next(random, STAGES + 1);

    *bed = (struct bed){.messages = next(random, MESSAGES + 1)};
    bed->harmed = chain % KILLED == 0;
    bed->note = lpel_stream_new("note", 1);
    lpel_input(lpel_self(), bed->note);
    link.messages = bed->messages;
    link.out = lpel_stream_new("chain", 1 + (int)next(random, 3));
    number[0] = start("source", source, &link, random);
    for (uint32_t n = 1; n <= stages; n++) {
        link.in = link.out;
        link.out = lpel_stream_new("chain", 1 + (int)next(random, 3));
        number[n] = start("stage", stage, &link, random);
    }
    link.in = link.out;
    link.out = bed->note;
    start("sink", sink, &link, random);
    bed->tasks = stages + 2;
    if (bed->harmed)
        lpel_kill(number[next(random, stages + 1)]);
}

static uint32_t harvest(const struct bed *bed, const struct note *note)
{
    uint32_t whole = bed->messages;

    if (note->order || note->count > whole)
        return 1;
    return !bed->harmed &&
           (note->count != whole || note->sum != whole * (whole - 1) / 2);
}

struct tally {
    uint32_t tasks, chains, cut, wrong;
};

struct garden {
    uint32_t index, tasks;
    lpel_stream *out;
};

static void plant_one(const struct garden *garden, struct bed *bed,
                      struct tally *tally, uint32_t *random)
{
    plant(bed, tally->chains++ * GARDENS + garden->index, random);
    tally->tasks += bed->tasks;
}

static void gardener(void *argument)
{
    struct garden *garden = argument;
    struct tally *tally = lpel_malloc(sizeof *tally);
    struct bed bed[BEDS];
    lpel_stream *notes[BEDS];
    uint32_t random = seed * GARDENS + garden->index;
    int at;

    *tally = (struct tally){0};
    for (int n = 0; n < BEDS; n++) {
        plant_one(garden, &bed[n], tally, &random);
        notes[n] = bed[n].note;
    }
    while ((at = lpel_poll(notes, BEDS)) >= 0) {
        struct note *note = lpel_read(notes[at]);

        tally->wrong += harvest(&bed[at], note);
        tally->cut += note->count < bed[at].messages;
        lpel_free(note);
        lpel_close(notes[at]);
        notes[at] = NULL;
        if (tally->tasks >= garden->tasks)
            continue;
        plant_one(garden, &bed[at], tally, &random);
        notes[at] = bed[at].note;
    }
    lpel_write(garden->out, tally);
}

struct village {
    int count;
    lpel_stream *in[GARDENS];
};

static void add_up(void *argument)
{
    struct village *village = argument;
    struct tally all = {0};

    for (int n = 0; n < village->count; n++) {
        struct tally *tally = lpel_read(village->in[n]);

        all.tasks += tally->tasks;
        all.chains += tally->chains;
        all.cut += tally->cut;
        all.wrong += tally->wrong;
        lpel_free(tally);
    }
    printf("storm tasks %u chains %u cut %u wrong %u\n", (unsigned)all.tasks,
           (unsigned)all.chains, (unsigned)all.cut, (unsigned)all.wrong);
}

static void build(void *unused)
{
    struct village village = {.count = lpel_ranks() - 1};
    lpel_task *task;

    (void)unused;
    if (village.count > GARDENS)
        village.count = GARDENS;
    for (int n = 0; n < village.count; n++) {
        struct garden garden = {
            .index = (uint32_t)n,
            .tasks = (uint32_t)(tasks_wanted / village.count),
            .out = lpel_stream_new("tally", 1),
        };
        village.in[n] = garden.out;
        task =
            lpel_task_new("gardener", gardener, &garden, sizeof garden, n + 1);
        lpel_output(task, garden.out);
        lpel_start(task);
    }
    task = lpel_task_new("village", add_up, &village, sizeof village, 1);
    for (int n = 0; n < village.count; n++)
        lpel_input(task, village.in[n]);
    lpel_start(task);
}

int main(int argc, char **argv)
{
    int variant = lpel_variant_named(argc > 1 ? argv[1] : "uncached");
    struct lpel_config config = {.stack_kb = 2, .chunk_kb = 64};

    if (variant < 0 || variant == LPEL_MESSAGES) {
        fprintf(stderr, "usage: storm uncached|stacks TASKS SEED\n");
        return 2;
    }
    config.variant = (enum lpel_variant)variant;
    tasks_wanted = argc > 2 ? atoi(argv[2]) : 100;
    seed = argc > 3 ? (uint32_t)atoi(argv[3]) : 1;
    lpel_init(&argc, &argv, &config);
    lpel_run(build, NULL);
    struct lpel_usage usage = lpel_usage();
    if (lpel_rank() == 0)
        printf("left %u blocks, %u bytes, damaged %u\n", (unsigned)usage.blocks,
               (unsigned)usage.bytes, (unsigned)usage.damaged);
    lpel_finalize();
    return 0;
}
