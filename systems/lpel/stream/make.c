/*
 * make.c: streams and their ends.
 */
#include "ring.h"

#define MOST 4096

static uint32_t made;
/* static: streams in the order they were made in, which all cores share */
static struct lpel_stream *numbered[MOST];

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
        if (!lpel_current && made > MOST)
            lpel_fail("let tasks make streams", "a graph of over %d streams",
                      MOST);
        if (!lpel_current)
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

void lpel_drop(struct lpel_stream *stream)
{
    if (lpel_is_static() && lpel_stream_numbered(stream->number) == stream)
        numbered[stream->number] = NULL;
    if (stream->ring != (void *volatile *)(stream + 1))
        lpel_free((void *)(uintptr_t)stream->ring);
    lpel_free(stream);
}
