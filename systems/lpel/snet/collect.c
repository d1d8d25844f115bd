/*
 * collect.c: many streams into one, in the order in which records come.
 */
#include "snet_private.h"

struct streams {
    lpel_stream **at;
    int count, room;
};

static void add(struct streams *streams, lpel_stream *stream)
{
    if (streams->count == streams->room) {
        int room = streams->room ? 2 * streams->room : 4;
        lpel_stream **wider = lpel_malloc((size_t)room * sizeof *wider);

        for (int n = 0; n < streams->count; n++)
            wider[n] = streams->at[n];
        lpel_free(streams->at);
        streams->at = wider;
        streams->room = room;
    }
    streams->at[streams->count++] = stream;
}

void snet_announce(lpel_stream *to, lpel_stream *stream)
{
    snet_record *record = snet_new();

    record->announced = stream;
    lpel_write(to, record);
}

/* Closed streams leave the list, so that nobody looks at them again. */
static void end(struct streams *streams, int at)
{
    lpel_close(streams->at[at]);
    streams->at[at] = streams->at[--streams->count];
}

static void pass(struct streams *streams, int at, lpel_stream *out)
{
    snet_record *record = lpel_read(streams->at[at]);

    if (!record) {
        end(streams, at);
    } else if (record->announced) {
        lpel_input(lpel_self(), record->announced);
        add(streams, record->announced);
        lpel_free(record);
    } else {
        lpel_write(out, record);
    }
}

void snet_collect_task(void *argument)
{
    struct snet_job *job = argument;
    struct streams streams = {NULL, 0, 0};

    add(&streams, job->in);
    if (job->more)
        add(&streams, job->more);
    while (streams.count) {
        int at = lpel_poll(streams.at, streams.count);

        /* None has a record, but each has its end. */
        pass(&streams, at < 0 ? 0 : at, job->out);
    }
    lpel_free(streams.at);
}
