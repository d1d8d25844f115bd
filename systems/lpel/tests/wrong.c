/*
 * wrong.c: what a program may do wrong, by name; test_lpel.py has what is
 * said then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lpel.h"

static const char *what;

static int is(const char *name)
{
    return !strcmp(what, name);
}

static void add(void *data)
{
    lpel_write(NULL, data);
}

__attribute__((noinline)) static void fill_stack(void)
{
    volatile char large[6000];

    for (size_t n = 0; n < sizeof large; n++)
        large[n] = 1;
}

static void task(void *argument)
{
    lpel_stream *stream = *(lpel_stream **)argument;
    char *block = lpel_malloc(100);

    if (is("loops"))
        for (volatile int n = 0;; n++)
            ;
    if (is("aborts"))
        abort();
    if (is("null"))
        *(volatile int *)1 = 2;
    if (is("stack"))
        fill_stack();
    if (is("twice")) {
        lpel_free(block);
        lpel_free(block);
    }
    if (is("overwritten")) {
        memset(block, 1, 132);
        lpel_write(stream, lpel_malloc(3));
        lpel_free(block + 128);
    }
    if (is("own"))
        lpel_free(&what);
    if (is("inside"))
        lpel_compute(add, block);
    if (is("nothing"))
        lpel_write(stream, NULL);
    if (is("reads"))
        lpel_read(stream);
    if (is("much"))
        for (;;)
            lpel_malloc(1 << 20);
    if (is("blocks"))
        lpel_malloc(0x50000000);
    lpel_free(block);
    if (is("deadlock"))
        lpel_read(*((lpel_stream **)argument + 1));
    lpel_write(stream, lpel_malloc(1));
}

static void other(void *argument)
{
    lpel_stream *stream = *(lpel_stream **)argument;

    lpel_free(lpel_read(stream));
    lpel_write(*((lpel_stream **)argument + 1), lpel_malloc(1));
}

static void build(void *unused)
{
    lpel_stream *streams[2] = {lpel_stream_new("there", is("capacity") ? 0 : 1),
                               lpel_stream_new("back", 1)};
    int home = is("home") ? 99 : is("conductor") ? 0 : LPEL_ANY;
    lpel_task *a = lpel_task_new("worm", task, streams, sizeof streams, home);
    lpel_task *b =
        lpel_task_new("bird", other, streams, sizeof streams, LPEL_ANY);

    (void)unused;
    lpel_output(a, streams[0]);
    lpel_input(b, streams[0]);
    lpel_input(a, streams[1]);
    lpel_output(b, streams[1]);
    if (is("ends"))
        lpel_input(b, streams[1]);
    lpel_start(a);
    if (is("started"))
        lpel_start(a);
    lpel_start(b);
}

int main(int argc, char **argv)
{
    struct lpel_config config = {.stack_kb = 4};

    what = argv[argc - 1];
    if (is("loops"))
        config.limit_ms = 2;
    if (is("entries"))
        config.segments = 160;
    if (is("donors"))
        config.segments = 1000;
    if (is("aliases")) {
        config.variant = LPEL_CACHED_STACKS;
        config.segments = 65;
    }
    if (is("much"))
        config.segments = 1;
    if (is("donor")) {
        config.donors[0] = 1;
        config.donor_count = 1;
    }
    if (is("values"))
        config.outside = -1;
    if (is("outside"))
        config.outside = 2;
    lpel_init(&argc, &argv, &config);
    if (is("early"))
        lpel_yield();
    lpel_run(build, NULL);
    lpel_finalize();
    return 0;
}
