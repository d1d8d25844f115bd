/*
 * route.c: which way a record goes.
 *
 * Star and split make a new instance of what they repeat when a record needs
 * one, and announce its output to the collector behind them, through their
 * own stream to it.
 */
#include "snet_private.h"

static void no_way(const struct snet_node *node, const snet_record *record)
{
    lpel_fail("give a branch a type that such records have",
              "%s (%s) has no way for a record of %s", node->name, node->where,
              snet_told(snet_type(record)));
}

/* The branch whose type has more of the record's labels; the first if both
 * have as many. */
void snet_parallel_task(void *argument)
{
    struct snet_job *job = argument;
    uint64_t types_a[SNET_TYPES], types_b[SNET_TYPES];
    snet_record *record;

    snet_takes(job->node->a, types_a, 0);
    snet_takes(job->node->b, types_b, 0);
    while ((record = lpel_read(job->in))) {
        int a = snet_match(snet_type(record), types_a);
        int b = snet_match(snet_type(record), types_b);

        if (a < 0 && b < 0)
            no_way(job->node, record);
        lpel_write(a >= b ? job->out : job->more, record);
    }
}

/* Records that have the pattern leave; all others go through one more
 * instance, behind which there is the next star. */
void snet_star_task(void *argument)
{
    struct snet_job *job = argument;
    lpel_stream *again = NULL;
    snet_record *record;

    while ((record = lpel_read(job->in))) {
        if (snet_match(snet_type(record), job->node->in) >= 0) {
            lpel_write(job->out, record);
            continue;
        }
        if (!again) {
            struct snet_job next = {.node = job->node};

            again = lpel_stream_new("star", SNET_ROOM);
            next.in = lpel_stream_new("star", SNET_ROOM);
            next.out = lpel_stream_new("star", SNET_ROOM);
            lpel_output(lpel_self(), again);
            snet_build(job->node->a, again, next.in);
            snet_announce(job->out, next.out);
            snet_start(job->node->name, snet_star_task, &next);
        }
        lpel_write(again, record);
    }
}

struct way {
    int value;
    lpel_stream *stream;
};

static lpel_stream *new_way(const struct snet_job *job)
{
    lpel_stream *in = lpel_stream_new("split", SNET_ROOM);
    lpel_stream *out = lpel_stream_new("split", SNET_ROOM);

    lpel_output(lpel_self(), in);
    snet_build(job->node->a, in, out);
    snet_announce(job->out, out);
    return in;
}

/* An instance for each value of the tag. */
void snet_split_task(void *argument)
{
    struct snet_job *job = argument;
    struct way *ways = lpel_malloc(4 * sizeof *ways);
    uint32_t count = 0, room = 4;
    snet_record *record;

    while ((record = lpel_read(job->in))) {
        uint32_t n = 0;

        if (!snet_has(record, job->node->tag))
            no_way(job->node, record);
        while (n < count && ways[n].value != snet_tag(record, job->node->tag))
            n++;
        if (n == room) {
            struct way *wider = lpel_malloc(2 * room * sizeof *wider);

            for (uint32_t old = 0; old < room; old++)
                wider[old] = ways[old];
            lpel_free(ways);
            ways = wider;
            room *= 2;
        }
        if (n == count) {
            ways[n].value = snet_tag(record, job->node->tag);
            ways[n].stream = new_way(job);
            count++;
        }
        lpel_write(ways[n].stream, record);
    }
    lpel_free(ways);
}
