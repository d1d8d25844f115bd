/*
 * stream.c: bounded streams of messages, from one task to another one.
 *
 * A ring of pointers under the stream's guard. Who must wait notes itself in
 * the stream and gives its core up; who changes what it waits for wakes it.
 * A task is woken while the guard is held, and a note is taken away under
 * it: so nobody wakes a task that has ended.
 */
#include "lpel_private.h"

#include "rck_mark.h"

#define MOST 4096

static uint32_t made;
/* static: streams in the order they were made in, which all cores share */
static struct lpel_stream *numbered[MOST];

static void guard(const struct lpel_stream *stream)
{
    if (!lpel_is_static())
        lpel_guard(stream->number);
}

static void unguard(const struct lpel_stream *stream)
{
    if (!lpel_is_static())
        lpel_unguard(stream->number);
}

lpel_stream *lpel_stream_new(const char *name, int capacity)
{
    struct lpel_stream *stream;

    if (capacity < 1 || capacity > MOST)
        lpel_fail("a stream holds 1 to 4096 messages",
                  "stream '%s' for %d messages", name, capacity);
    stream = lpel_malloc(sizeof *stream + (uint32_t)capacity * sizeof(void *));
    *stream = (struct lpel_stream){
        .name = name,
        .number = made++ * 7 + (uint32_t)lpel_my_rank,
        .capacity = (uint32_t)capacity,
    };
    stream->ring = (void *volatile *)(stream + 1);
    if (lpel_is_static()) {
        stream->number = made - 1;
        if (!lpel_current && made <= MOST)
            numbered[made - 1] = stream;
    }
    return stream;
}

void lpel_number_anew(void)
{
    made = 0;
}

struct lpel_stream *lpel_stream_numbered(uint32_t number)
{
    return number < MOST ? numbered[number] : NULL;
}

static void check_end(const struct lpel_task *task,
                      const struct lpel_stream *stream,
                      const struct lpel_task *other, const char *what)
{
    if (other)
        lpel_fail("a stream has one reader and one writer",
                  "stream '%s' has two %ss: tasks '%s' and '%s'", stream->name,
                  what, other->name, task->name);
    if (task->state != LPEL_NEW && task != lpel_current)
        lpel_fail("a task that runs takes streams itself: lpel_self()",
                  "stream '%s' for task '%s', which was started", stream->name,
                  task->name);
}

void lpel_input(lpel_task *task, lpel_stream *stream)
{
    check_end(task, stream, stream->reader, "reader");
    stream->reader = task;
    stream->next_input = task->inputs;
    task->inputs = stream;
}

void lpel_output(lpel_task *task, lpel_stream *stream)
{
    check_end(task, stream, stream->writer, "writer");
    stream->writer = task;
    stream->next_output = task->outputs;
    task->outputs = stream;
}

/* Guarded. */
static void wake(struct lpel_task *volatile *waits)
{
    struct lpel_task *task = *waits;

    if (!task)
        return;
    *waits = NULL;
    lpel_scheduler->wake(task);
}

static void *pop(struct lpel_stream *stream)
{
    uint32_t first = stream->first;
    void *message = stream->ring[first];

    stream->first = first + 1 == stream->capacity ? 0 : first + 1;
    stream->count--;
    return message;
}

static void push(struct lpel_stream *stream, void *message)
{
    uint32_t at = stream->first + stream->count;

    stream->ring[at >= stream->capacity ? at - stream->capacity : at] = message;
    stream->count++;
}

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

    guard(stream);
    stream->reader_waits = NULL;
    if (stream->count) {
        *message = pop(stream);
        wake(&stream->writer_waits);
    } else if (stream->no_writer) {
        found = 0;
    } else {
        stream->reader_waits = lpel_current;
        found = -1;
    }
    unguard(stream);
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

    guard(stream);
    stream->writer_waits = NULL;
    if (stream->no_reader) {
        done = LPEL_CLOSED;
    } else if (stream->count < stream->capacity) {
        push(stream, message);
        wake(&stream->reader_waits);
    } else {
        done = LPEL_FULL;
        if (waits)
            stream->writer_waits = lpel_current;
    }
    unguard(stream);
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

static void take_out(struct lpel_stream **list, struct lpel_stream *stream,
                     int inputs)
{
    while (*list != stream)
        list = inputs ? &(*list)->next_input : &(*list)->next_output;
    *list = inputs ? stream->next_input : stream->next_output;
}

void lpel_drop(struct lpel_stream *stream)
{
    if (lpel_is_static() && lpel_stream_numbered(stream->number) == stream)
        numbered[stream->number] = NULL;
    if (stream->ring != (void *volatile *)(stream + 1))
        lpel_free((void *)(uintptr_t)stream->ring);
    lpel_free(stream);
}

void lpel_close_reader(struct lpel_stream *stream)
{
    int last;

    take_out(&stream->reader->inputs, stream, 1);
    guard(stream);
    stream->reader_waits = NULL;
    stream->no_reader = 1;
    wake(&stream->writer_waits);
    last = (int)stream->no_writer;
    unguard(stream);
    /* The writer adds nothing any more. */
    while (stream->count)
        lpel_free(pop(stream));
    if (last)
        lpel_drop(stream);
}

void lpel_close_writer(struct lpel_stream *stream)
{
    int last;

    take_out(&stream->writer->outputs, stream, 0);
    if (stream->carried)
        lpel_carry(stream, NULL);
    guard(stream);
    stream->writer_waits = NULL;
    stream->no_writer = 1;
    wake(&stream->reader_waits);
    last = (int)stream->no_reader;
    unguard(stream);
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
        wake(&stream->reader_waits);
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
    push(stream, message);
    wake(&stream->reader_waits);
}
