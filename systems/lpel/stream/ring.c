/*
 * ring.c: a stream's guard, its ring of pointers, and who waits for it.
 */
#include "ring.h"

void lpel_stream_guard(const struct lpel_stream *stream)
{
    if (!lpel_is_static())
        lpel_guard(stream->number);
}

void lpel_stream_unguard(const struct lpel_stream *stream)
{
    if (!lpel_is_static())
        lpel_unguard(stream->number);
}

void lpel_wake_waiter(struct lpel_task *volatile *waits)
{
    struct lpel_task *task = *waits;

    if (!task)
        return;
    *waits = NULL;
    lpel_scheduler->wake(task);
}

void *lpel_pop(struct lpel_stream *stream)
{
    uint32_t first = stream->first;
    void *message = stream->ring[first];

    stream->first = first + 1 == stream->capacity ? 0 : first + 1;
    stream->count--;
    return message;
}

void lpel_push(struct lpel_stream *stream, void *message)
{
    uint32_t at = stream->first + stream->count;

    stream->ring[at >= stream->capacity ? at - stream->capacity : at] = message;
    stream->count++;
}
