/*
 * poll.c: the first of several streams that has a message.
 *
 * The task notes itself in each stream that has none, and waits; afterwards
 * it takes all notes away.
 */
#include "ring.h"

/* 1: there is a message, 0: never again, -1: the reader is noted. */
static int look(struct lpel_stream *stream)
{
    int found;

    lpel_stream_guard(stream);
    if (stream->count)
        found = 1;
    else if (stream->no_writer)
        found = 0;
    else {
        stream->reader_waits = lpel_current;
        found = -1;
    }
    lpel_stream_unguard(stream);
    return found;
}

static void forget(struct lpel_stream *stream)
{
    lpel_stream_guard(stream);
    stream->reader_waits = NULL;
    lpel_stream_unguard(stream);
}

/* The index of a stream with a message; -1: all are at their end, -2: none
 * has one now. Begins behind the one that was found last. */
static int look_at_all(lpel_stream *const *streams, int count, int first)
{
    int open = 0;

    for (int n = 0; n < count; n++) {
        int at = (first + n) % count;
        int found;

        if (!streams[at])
            continue;
        if (streams[at]->reader != lpel_current)
            lpel_fail("give it to the task: lpel_input",
                      "task '%s' polls stream '%s', which it does not read",
                      lpel_current->name, streams[at]->name);
        found = look(streams[at]);
        if (found > 0)
            return at;
        open += found < 0;
    }
    return open ? -2 : -1;
}

int lpel_poll(lpel_stream *const *streams, int count)
{
    int found;

    lpel_check_killed();
    if (count < 1)
        return -1;
    for (;;) {
        int first = (int)(lpel_current->messages % (uint32_t)count);

        found = look_at_all(streams, count, first);
        if (found == -2)
            lpel_leave(LPEL_BLOCKED);
        for (int n = 0; n < count; n++)
            if (streams[n] && streams[n]->reader_waits)
                forget(streams[n]);
        lpel_check_killed();
        if (found != -2)
            return found;
    }
}
