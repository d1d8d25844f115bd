/*
 * build.c: a network's nodes into tasks and streams.
 */
#include "snet_private.h"

void snet_start(const char *name, void (*function)(void *),
                const struct snet_job *job)
{
    lpel_task *task = lpel_task_new(name, function, job, sizeof *job, LPEL_ANY);
    int collects = function == snet_collect_task;

    lpel_input(task, job->in);
    lpel_output(task, job->out);
    if (job->more && collects)
        lpel_input(task, job->more);
    else if (job->more)
        lpel_output(task, job->more);
    lpel_start(task);
}

static int add(uint64_t *types, int count, uint64_t type)
{
    if (count == SNET_TYPES - 1)
        lpel_fail("make parts of it nets behind a box",
                  "a network that takes over %d types", SNET_TYPES - 1);
    types[count++] = type;
    types[count] = 0;
    return count;
}

int snet_takes(const struct snet_node *node, uint64_t *types, int count)
{
    int before = count;

    switch (node->kind) {
    case SNET_BOX:
        return add(types, count, *node->in);
    case SNET_SERIAL:
        return snet_takes(node->a, types, count);
    case SNET_PARALLEL:
        count = snet_takes(node->a, types, count);
        return snet_takes(node->b, types, count);
    case SNET_STAR:
        count = snet_takes(node->a, types, count);
        return add(types, count, *node->in);
    default:
        count = snet_takes(node->a, types, count);
        for (int n = before; n < count; n++)
            types[n] |= 1ull << node->tag;
        return count;
    }
}

static lpel_stream *between(const char *name)
{
    return lpel_stream_new(name, SNET_ROOM);
}

static void build_parallel(const struct snet_node *node, lpel_stream *in,
                           lpel_stream *out)
{
    struct snet_job route = {node, in, between("branch"), between("branch")};
    struct snet_job collect = {node, between("collect"), out,
                               between("collect")};

    snet_build(node->a, route.out, collect.in);
    snet_build(node->b, route.more, collect.more);
    snet_start("<parallel>", snet_parallel_task, &route);
    snet_start("<collect>", snet_collect_task, &collect);
}

static void build_repeated(const struct snet_node *node, lpel_stream *in,
                           lpel_stream *out, void (*task)(void *))
{
    struct snet_job route = {node, in, between("collect"), NULL};
    struct snet_job collect = {node, route.out, out, NULL};

    snet_start(node->name, task, &route);
    snet_start("<collect>", snet_collect_task, &collect);
}

void snet_build(const struct snet_node *node, lpel_stream *in, lpel_stream *out)
{
    struct snet_job job = {node, in, out, NULL};
    lpel_stream *middle;

    switch (node->kind) {
    case SNET_BOX:
        snet_start(node->name, snet_box_task, &job);
        break;
    case SNET_SERIAL:
        middle = between("serial");
        snet_build(node->a, in, middle);
        snet_build(node->b, middle, out);
        break;
    case SNET_PARALLEL:
        build_parallel(node, in, out);
        break;
    case SNET_STAR:
        build_repeated(node, in, out, snet_star_task);
        break;
    case SNET_SPLIT:
        build_repeated(node, in, out, snet_split_task);
        break;
    }
}

struct snet_end {
    lpel_stream *stream;
    void (*function)(struct snet_end *);
    int rank;
};

struct ends {
    const struct snet_net *net;
    struct snet_end source, sink;
};

void snet_write(struct snet_end *end, snet_record *record)
{
    lpel_write(end->stream, record);
}

snet_record *snet_read(struct snet_end *end)
{
    return lpel_read(end->stream);
}

static void end_task(void *argument)
{
    struct snet_end *end = argument;

    end->function(end);
}

static lpel_task *end_of(const char *name, struct snet_end *end)
{
    end->stream = lpel_stream_new(name, SNET_ROOM);
    return lpel_task_new(name, end_task, end, sizeof *end, end->rank);
}

static void build(void *argument)
{
    struct ends *ends = argument;
    lpel_task *source = end_of("source", &ends->source);
    lpel_task *sink = end_of("sink", &ends->sink);

    lpel_output(source, ends->source.stream);
    lpel_input(sink, ends->sink.stream);
    snet_build(ends->net->main, ends->source.stream, ends->sink.stream);
    lpel_start(source);
    lpel_start(sink);
}

void snet_run(const struct snet_net *net, void (*source)(struct snet_end *),
              int source_rank, void (*sink)(struct snet_end *), int sink_rank)
{
    struct ends ends = {
        .net = net,
        .source = {.function = source, .rank = source_rank},
        .sink = {.function = sink, .rank = sink_rank},
    };

    if (lpel_is_static())
        lpel_fail("use a variant by demand",
                  "records have pointers, which messages do not carry");
    snet_current = net;
    lpel_run(build, &ends);
}
