// Tasks in a row on all workers: numbers pass streams of two messages in order, and nothing is left.
// cc: -O2 -llpel -lrcce
// run: -n 4 --tag none
// expect-stdout:
// sum 19900 of 200, last 199
// blocks 0 damaged 0
#include "lpel.h"

#include <stdio.h>

#ifndef MESSAGES
#define MESSAGES 200
#endif
#define STAGES 5

struct ends {
    lpel_stream *in, *out;
};

static void source(void *argument)
{
    struct ends *ends = argument;

    for (int n = 0; n < MESSAGES; n++) {
        int *message = lpel_malloc(sizeof *message);

        *message = n;
        lpel_write(ends->out, message);
    }
}

static void stage(void *argument)
{
    struct ends *ends = argument;
    void *message;

    while ((message = lpel_read(ends->in)))
        lpel_write(ends->out, message);
}

static void sink(void *argument)
{
    struct ends *ends = argument;
    int *message, sum = 0, count = 0, last = 0;

    while ((message = lpel_read(ends->in))) {
        sum += *message;
        last = *message;
        count++;
        lpel_free(message);
    }
    printf("sum %d of %d, last %d\n", sum, count, last);
}

static void task(const char *name, void (*function)(void *), lpel_stream *in,
                 lpel_stream *out)
{
    struct ends ends = {in, out};
    lpel_task *task =
        lpel_task_new(name, function, &ends, sizeof ends, LPEL_ANY);

    if (in)
        lpel_input(task, in);
    if (out)
        lpel_output(task, out);
    lpel_start(task);
}

static void build(void *unused)
{
    lpel_stream *last = lpel_stream_new("first", 2);

    (void)unused;
    task("source", source, NULL, last);
    for (int n = 0; n < STAGES; n++) {
        lpel_stream *next = lpel_stream_new("next", 2);

        task("stage", stage, last, next);
        last = next;
    }
    task("sink", sink, last, NULL);
}

#ifndef VARIANT
#define VARIANT LPEL_UNCACHED
#endif

int main(int argc, char **argv)
{
    struct lpel_config config = {.variant = VARIANT};
    struct lpel_usage usage;

    lpel_init(&argc, &argv, &config);
    lpel_run(build, NULL);
    usage = lpel_usage();
    if (lpel_rank() == 0)
        printf("blocks %u damaged %u\n", (unsigned)usage.blocks,
               (unsigned)usage.damaged);
    lpel_finalize();
    return 0;
}
