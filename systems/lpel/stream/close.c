/*
 * close.c: the ends of streams; static: what comes from other cores.
 */
#include "ring.h"

static void take_out(struct lpel_stream **list, struct lpel_stream *stream,
                     int inputs)
{
    while (*list != stream)
        list = inputs ? &(*list)->next_input : &(*list)->next_output;
    *list = inputs ? stream->next_input : stream->next_output;
}

void lpel_close_reader(struct lpel_stream *stream)
{
    int last;

    take_out(&stream->reader->inputs, stream, 1);
    lpel_stream_guard(stream);
    stream->reader_waits = NULL;
    stream->no_reader = 1;
    lpel_wake_waiter(&stream->writer_waits);
    last = (int)stream->no_writer;
    lpel_stream_unguard(stream);
    /* The writer adds nothing any more. */
    while (stream->count)
        lpel_free(lpel_pop(stream));
    if (last)
        lpel_drop(stream);
}

void lpel_close_writer(struct lpel_stream *stream)
{
    int last;

    take_out(&stream->writer->outputs, stream, 0);
    if (stream->carried)
        lpel_carry(stream, NULL);
    lpel_stream_guard(stream);
    stream->writer_waits = NULL;
    stream->no_writer = 1;
    lpel_wake_waiter(&stream->reader_waits);
    last = (int)stream->no_reader;
    lpel_stream_unguard(stream);
    if (last || stream->carried)
        lpel_drop(stream);
}

void lpel_close(lpel_stream *stream)
{
    lpel_check_killed();
    if (stream->writer == lpel_current)
        lpel_close_writer(stream);
    else if (stream->reader == lpel_current)
        lpel_close_reader(stream);
    else
        lpel_fail("close streams that the task reads or writes",
                  "task '%s' closes stream '%s' of others", lpel_current->name,
                  stream->name);
}

/* static: a message of another core, NULL: the end. Nobody asked whether
 * there is room: the ring grows. */
void lpel_deliver(struct lpel_stream *stream, void *message)
{
    if (!message) {
        stream->no_writer = 1;
        lpel_wake_waiter(&stream->reader_waits);
        if (stream->no_reader)
            lpel_drop(stream);
        return;
    }
    if (stream->no_reader) {
        lpel_free(message);
        return;
    }
    if (stream->count == stream->capacity) {
        uint32_t wider = stream->capacity * 2;
        void **ring = lpel_malloc(wider * sizeof(void *));

        for (uint32_t n = 0; n < stream->capacity; n++)
            ring[n] = stream->ring[(stream->first + n) % stream->capacity];
        if (stream->ring != (void *volatile *)(stream + 1))
            lpel_free((void *)(uintptr_t)stream->ring);
        stream->ring = ring;
        stream->first = 0;
        stream->capacity = wider;
    }
    lpel_push(stream, message);
    lpel_wake_waiter(&stream->reader_waits);
}
