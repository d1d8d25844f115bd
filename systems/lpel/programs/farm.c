/*
 * farm.c: builds the graph of farm.h and measures it.
 */
#include "farm.h"
#include "lpel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 128
#define ROOM 2 /* messages in a stream */

static const struct farm *farm;
static int messages, pipelines, sources;

struct role {
    int index, stage, count;
    lpel_stream *in[MOST], *out[MOST];
};

static void *data_of(struct farm_head *head)
{
    return head + 1;
}

static void source(void *argument)
{
    struct role *role = argument;
    struct farm_head *spare = lpel_malloc(sizeof *spare + farm->bytes);

    /* What is made once is made before the first message is timed. */
    farm->fill(data_of(spare), 0);
    lpel_free(spare);
    for (int n = role->index; n < messages; n += sources) {
        struct farm_head *head = lpel_malloc(sizeof *head + farm->bytes);

        head->number = (uint32_t)n;
        farm->fill(data_of(head), head->number);
        head->sent_us = lpel_time_us();
        lpel_write(role->out[0], head);
    }
}

/* A pipeline with room; if none has, the next one in turn. */
static void split(void *argument)
{
    struct role *role = argument;
    int at, next = 0;

    while ((at = lpel_poll(role->in, sources)) >= 0) {
        void *message = lpel_read(role->in[at]);
        int tried = 0;

        while (tried < pipelines &&
               lpel_try_write(role->out[(next + tried) % pipelines], message))
            tried++;
        if (tried == pipelines)
            lpel_write(role->out[next], message);
        next = (next + tried + 1) % pipelines;
    }
}

static void stage(void *argument)
{
    struct role *role = argument;
    struct farm_head *head;

    while ((head = lpel_read(role->in[0]))) {
        if (farm->private)
            lpel_compute(farm->stage[role->stage].work, data_of(head));
        else
            farm->stage[role->stage].work(data_of(head));
        lpel_write(role->out[0], head);
    }
}

static void collect(void *argument)
{
    struct role *role = argument;
    int at, next = 0;

    while ((at = lpel_poll(role->in, pipelines)) >= 0) {
        lpel_write(role->out[next], lpel_read(role->in[at]));
        next = (next + 1) % sources;
    }
}

static void sink(void *argument)
{
    struct role *role = argument;
    struct farm_head *head;
    uint64_t began = UINT64_MAX, last = 0, latency = 0;
    uint32_t count = 0, sum = 0, shortest = UINT32_MAX;

    while ((head = lpel_read(role->in[0]))) {
        uint32_t took;

        last = lpel_time_us();
        took = (uint32_t)(last - head->sent_us);
        if (head->sent_us < began)
            began = head->sent_us;
        count++;
        latency += took;
        if (took < shortest)
            shortest = took;
        sum += farm->sum(data_of(head));
        lpel_free(head);
    }
    printf("sink %s messages %u sum %u began %llu last %llu latency %llu "
           "shortest %u\n",
           farm->name, (unsigned)count, (unsigned)sum,
           (unsigned long long)began, (unsigned long long)last,
           (unsigned long long)latency, (unsigned)shortest);
}

static void start(const char *name, void (*function)(void *),
                  const struct role *role, int ins, int outs, int home)
{
    lpel_task *task = lpel_task_new(name, function, role, sizeof *role, home);

    for (int n = 0; n < ins; n++)
        lpel_input(task, role->in[n]);
    for (int n = 0; n < outs; n++)
        lpel_output(task, role->out[n]);
    lpel_start(task);
}

/* Sources and sinks on the outside ranks; with messages all on the first. */
static int outside_home(int n)
{
    if (lpel_variant() == LPEL_MESSAGES)
        return 0;
    return lpel_outside() == lpel_ranks() ? LPEL_ANY : lpel_outside() + n;
}

static int inside_home(int n)
{
    return lpel_variant() == LPEL_MESSAGES ? n % lpel_ranks() : LPEL_ANY;
}

static void build_pipeline(int n, lpel_stream *from, lpel_stream *to)
{
    int last = 0;

    while (last + 1 < FARM_STAGES && farm->stage[last + 1].work)
        last++;
    for (int s = 0; s <= last; s++) {
        struct role role = {.index = n, .stage = s, .in = {from}};

        from = role.out[0] = s == last ? to : lpel_stream_new("stage", ROOM);
        start(farm->stage[s].name, stage, &role, 1, 1, inside_home(n));
    }
}

static void build(void *unused)
{
    struct role splitter = {0}, collector = {0};

    (void)unused;
    for (int n = 0; n < sources; n++) {
        struct role in = {.index = n}, out = {.index = n};

        splitter.in[n] = in.out[0] = lpel_stream_new("source", ROOM);
        collector.out[n] = out.in[0] = lpel_stream_new("sink", ROOM);
        start("source", source, &in, 0, 1, outside_home(n));
        start("sink", sink, &out, 1, 0, outside_home(sources + n));
    }
    for (int n = 0; n < pipelines; n++) {
        splitter.out[n] = lpel_stream_new("in", ROOM);
        collector.in[n] = lpel_stream_new("out", ROOM);
    }
    start("<split>", split, &splitter, sources, pipelines, inside_home(0));
    start("<collect>", collect, &collector, pipelines, sources, inside_home(0));
    for (int n = 0; n < pipelines; n++)
        build_pipeline(n, splitter.out[n], collector.in[n]);
}

static int number(int argc, char **argv, int at, int other)
{
    return argc > at ? atoi(argv[at]) : other;
}

int farm_main(int argc, char **argv, const struct farm *of)
{
    struct lpel_config config = {.segments = 16};
    const char *name = argc > 1 ? argv[1] : "uncached";
    int variant = lpel_variant_named(name);
    int outside = number(argc, argv, 4, 2);

    farm = of;
    messages = number(argc, argv, 2, 8);
    pipelines = number(argc, argv, 3, 4);
    sources = variant == LPEL_MESSAGES || outside < 2 ? 1 : outside / 2;
    if (variant < 0 || messages < 1 || pipelines < 1 || pipelines > MOST ||
        outside < 0 || sources * 2 > MOST) {
        fprintf(stderr,
                "usage: %s uncached|stacks|messages MESSAGES PIPELINES(1..%d) "
                "[OUTSIDE]\n",
                of->name, MOST);
        return 2;
    }
    config.variant = (enum lpel_variant)variant;
    config.outside = variant == LPEL_MESSAGES ? 0 : sources * 2 * (outside > 1);
    lpel_init(&argc, &argv, &config);
    lpel_run(build, NULL);
    struct lpel_usage usage = lpel_usage();
    if (lpel_rank() == 0 || lpel_variant() == LPEL_MESSAGES)
        lpel_report();
    if (lpel_rank() == 0)
        printf("left %u blocks %u bytes damaged %u chunks %u bytes\n",
               (unsigned)usage.blocks, (unsigned)usage.bytes,
               (unsigned)usage.damaged, (unsigned)usage.chunks_bytes);
    lpel_finalize();
    return 0;
}
