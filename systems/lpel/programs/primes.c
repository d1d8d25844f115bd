/*
 * primes.c: counts the primes below a bound. The source deals ranges to the
 * counters in turn; each task runs on any worker. primes_rcce.c counts by RCCE.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lpel.h"
#include "primes.h"

static int bound = 20000;

struct ends {
    lpel_stream *in[RANGES], *out[RANGES];
};

static void source(void *argument)
{
    struct ends *ends = argument;

    for (int n = 0; n < RANGES; n++) {
        int *from = lpel_malloc(sizeof *from);

        *from = n;
        lpel_write(ends->out[n % COUNTERS], from);
    }
}

static void counter(void *argument)
{
    struct ends *ends = argument;
    int *range;

    while ((range = lpel_read(ends->in[0]))) {
        *range = primes_in(*range, bound);
        lpel_write(ends->out[0], range);
    }
}

static void sink(void *argument)
{
    struct ends *ends = argument;
    int at, sum = 0;

    while ((at = lpel_poll(ends->in, COUNTERS)) >= 0) {
        int *count = lpel_read(ends->in[at]);

        sum += *count;
        lpel_free(count);
    }
    printf("%d primes below %d\n", sum, bound);
}

static lpel_task *task(const char *name, void (*function)(void *),
                       const struct ends *ends)
{
    return lpel_task_new(name, function, ends, sizeof *ends, LPEL_ANY);
}

static void build(void *unused)
{
    struct ends all = {{NULL}, {NULL}};

    (void)unused;
    for (int n = 0; n < COUNTERS; n++) {
        all.out[n] = lpel_stream_new("ranges", 2);
        all.in[n] = lpel_stream_new("counts", 2);
    }
    lpel_task *first = task("source", source, &all);
    lpel_task *last = task("sink", sink, &all);
    for (int n = 0; n < COUNTERS; n++) {
        struct ends ends = {{all.out[n]}, {all.in[n]}};
        lpel_task *middle = task("counter", counter, &ends);

        lpel_output(first, all.out[n]);
        lpel_input(middle, all.out[n]);
        lpel_output(middle, all.in[n]);
        lpel_input(last, all.in[n]);
        lpel_start(middle);
    }
    lpel_start(first);
    lpel_start(last);
}

int main(int argc, char **argv)
{
    lpel_init(&argc, &argv, NULL);
    if (argc > 1)
        bound = atoi(argv[1]);
    lpel_run(build, NULL);
    lpel_finalize();
    return 0;
}
