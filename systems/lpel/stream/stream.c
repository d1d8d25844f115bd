/*
 * stream.c: bounded streams of messages, from one task to another one.
 *
 * A ring of pointers under the stream's guard. Who must wait notes itself in
 * the stream and gives its core up; who changes what it waits for wakes it.
 * A task is woken while the guard is held, and a note is taken away under
 * it: so nobody wakes a task that has ended.
 */
#include "ring.h"

#include "rck_mark.h"

static void check_reader(struct lpel_stream *stream)
{
    lpel_check_killed();
    if (stream->reader != lpel_current)
        lpel_fail("give it to the task: lpel_input",
                  "task '%s' reads stream '%s', whose reader is %s",
                  lpel_current->name, stream->name,
                  stream->reader ? stream->reader->name : "nobody");
}

/* 1: there is one, 0: never again, -1: not now, and the reader is noted. */
static int take(struct lpel_stream *stream, void **message)
{
    int found = 1;

    lpel_stream_guard(stream);
    stream->reader_waits = NULL;
    if (stream->count) {
        *message = lpel_pop(stream);
        lpel_wake_waiter(&stream->writer_waits);
    } else if (stream->no_writer) {
        found = 0;
    } else {
        stream->reader_waits = lpel_current;
        found = -1;
    }
    lpel_stream_unguard(stream);
    return found;
}

static void wait_for(struct lpel_stream *stream)
{
    lpel_current->waits = stream;
    lpel_leave(LPEL_BLOCKED);
    lpel_current->waits = NULL;
    if (lpel_current->killed)
        lpel_task_end(lpel_current);
}

void *lpel_read(lpel_stream *stream)
{
    void *message = NULL;
    int found;

    check_reader(stream);
    /* A share of the work is done: those whose output is wanted more. */
    if (lpel_current->since_switch >= (uint32_t)lpel_configured.messages &&
        stream->count)
        lpel_yield();
    while ((found = take(stream, &message)) < 0)
        wait_for(stream);
    if (found) {
        lpel_current->messages++;
        lpel_current->since_switch++;
        rck_mark_value(stream->name, (int)stream->count);
    }
    return message;
}

static void check_writer(struct lpel_stream *stream, void *message)
{
    lpel_check_inside("lpel_write");
    if (lpel_current->killed) {
        lpel_free(message);
        lpel_task_end(lpel_current);
    }
    if (stream->writer != lpel_current)
        lpel_fail("give it to the task: lpel_output",
                  "task '%s' writes to stream '%s', whose writer is %s",
                  lpel_current->name, stream->name,
                  stream->writer ? stream->writer->name : "nobody");
    if (!message)
        lpel_fail("lpel_close ends a stream",
                  "task '%s' writes no message to stream '%s'",
                  lpel_current->name, stream->name);
}

static int put(struct lpel_stream *stream, void *message, int waits)
{
    int done = 0;

    lpel_stream_guard(stream);
    stream->writer_waits = NULL;
    if (stream->no_reader) {
        done = LPEL_CLOSED;
    } else if (stream->count < stream->capacity) {
        lpel_push(stream, message);
        lpel_wake_waiter(&stream->reader_waits);
    } else {
        done = LPEL_FULL;
        if (waits)
            stream->writer_waits = lpel_current;
    }
    lpel_stream_unguard(stream);
    return done;
}

int lpel_try_write(lpel_stream *stream, void *message)
{
    int done = 0;

    check_writer(stream, message);
    if (stream->carried)
        lpel_carry(stream, message);
    else
        done = put(stream, message, 0);
    if (done == LPEL_CLOSED)
        lpel_free(message);
    return done;
}

int lpel_write(lpel_stream *stream, void *message)
{
    int done;

    check_writer(stream, message);
    if (stream->carried) {
        lpel_carry(stream, message);
        return 0;
    }
    while ((done = put(stream, message, 1)) == LPEL_FULL) {
        lpel_current->waits = stream;
        lpel_leave(LPEL_BLOCKED);
        lpel_current->waits = NULL;
        check_writer(stream, message);
    }
    if (done == LPEL_CLOSED)
        lpel_free(message);
    else
        rck_mark_value(stream->name, (int)stream->count);
    return done;
}
