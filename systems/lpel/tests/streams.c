// Full, closed and polled streams, and a killed task, whose streams end.
// cc: -O2 -llpel -lrcce
// run: -n 5 --tag none
// expect-stdout:
// full 1
// closed 1
// of three streams: 3 messages, each once, then the end
// left 0 blocks
#include <stdio.h>

#include "lpel.h"

static void reads_one(void *argument)
{
    lpel_free(lpel_read(*(lpel_stream **)argument));
}

static void waits(void *argument)
{
    lpel_stream *stream = *(lpel_stream **)argument;
    void *message;

    while ((message = lpel_read(stream)))
        lpel_free(message);
}

static void says(void *argument)
{
    lpel_write(*(lpel_stream **)argument, lpel_malloc(1));
}

static lpel_task *with(void (*function)(void *), lpel_stream *stream)
{
    return lpel_task_new("helper", function, &stream, sizeof stream, LPEL_ANY);
}

static void test_full(void)
{
    lpel_stream *stream = lpel_stream_new("full", 1);
    lpel_task *reader = with(reads_one, stream);
    void *message = lpel_malloc(1);
    int full, closed = 0;

    lpel_output(lpel_self(), stream);
    lpel_input(reader, stream);
    lpel_write(stream, lpel_malloc(1));
    full = lpel_try_write(stream, message) == LPEL_FULL;
    printf("full %d\n", full);
    lpel_start(reader);
    lpel_write(stream, message);
    while (!closed)
        closed = lpel_write(stream, lpel_malloc(1)) == LPEL_CLOSED;
    printf("closed %d\n", closed);
    lpel_close(stream);
}

static void test_poll(void)
{
    lpel_stream *streams[3];
    int seen[3] = {0, 0, 0}, at;

    for (int n = 0; n < 3; n++) {
        lpel_task *writer;

        streams[n] = lpel_stream_new("polled", 1);
        writer = with(says, streams[n]);
        lpel_input(lpel_self(), streams[n]);
        lpel_output(writer, streams[n]);
        lpel_start(writer);
    }
    while ((at = lpel_poll(streams, 3)) >= 0) {
        lpel_free(lpel_read(streams[at]));
        seen[at]++;
    }
    if (seen[0] == 1 && seen[1] == 1 && seen[2] == 1)
        puts("of three streams: 3 messages, each once, then the end");
}

static void test_kill(void)
{
    lpel_stream *stream = lpel_stream_new("for ever", 1);
    lpel_task *reader = with(waits, stream);
    uint32_t number;

    lpel_output(lpel_self(), stream);
    lpel_input(reader, stream);
    number = lpel_start(reader);
    lpel_kill(number);
    while (lpel_write(stream, lpel_malloc(1)) != LPEL_CLOSED)
        ;
    lpel_kill(number); /* nothing: it has ended */
}

static void tester(void *unused)
{
    (void)unused;
    test_full();
    test_poll();
    test_kill();
}

static void build(void *unused)
{
    (void)unused;
    lpel_start(lpel_task_new("tester", tester, NULL, 0, 1));
}

int main(int argc, char **argv)
{
    struct lpel_usage usage;

    lpel_init(&argc, &argv, NULL);
    lpel_run(build, NULL);
    usage = lpel_usage();
    if (lpel_rank() == 0)
        printf("left %u blocks\n", (unsigned)usage.blocks);
    lpel_finalize();
    return 0;
}
