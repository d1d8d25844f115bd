/*
 * transfer.c: 64 kB from one core to another one: read byte by byte, and by
 * 8 bytes, out of uncached memory behind each controller; or as a message.
 *
 *   transfer uncached|messages     prints microseconds
 */
#include "lpel.h"

#include <stdio.h>
#include <string.h>

#include "farm.h"

#define BYTES 65536
#define ROUNDS 4

static char copy[BYTES] __attribute__((aligned(8)));

static void sender(void *argument)
{
    lpel_stream *out = *(lpel_stream **)argument;

    for (int n = 0; n < ROUNDS; n++) {
        char *message = lpel_malloc(BYTES);

        memset(message, n + 1, BYTES);
        uint64_t start = lpel_time_us();

        lpel_write(out, message);
        if (lpel_variant() == LPEL_MESSAGES)
            printf("message %llu\n",
                   (unsigned long long)(lpel_time_us() - start));
    }
}

static void read_bytes(void *data)
{
    volatile const char *from = data;

    for (int n = 0; n < BYTES; n++)
        copy[n] = from[n];
}

static void read_words(void *data)
{
    farm_copy(copy, data, BYTES);
}

static unsigned timed(void (*read)(void *), void *message)
{
    uint64_t start = lpel_time_us();

    memset(copy, 0, BYTES);
    lpel_compute(read, message);
    return (unsigned)(lpel_time_us() - start);
}

static void receiver(void *argument)
{
    lpel_stream *in = *(lpel_stream **)argument;
    char *message;

    while ((message = lpel_read(in))) {
        if (lpel_variant() != LPEL_MESSAGES)
            printf("bytes %u words %u right %d\n", timed(read_bytes, message),
                   timed(read_words, message), copy[0] == copy[BYTES - 1]);
        lpel_free(message);
    }
}

static void build(void *unused)
{
    lpel_stream *stream = lpel_stream_new("64 kB", ROUNDS);
    int first = lpel_variant() == LPEL_MESSAGES ? 0 : 1;
    lpel_task *from =
        lpel_task_new("sender", sender, &stream, sizeof stream, first);
    lpel_task *to =
        lpel_task_new("receiver", receiver, &stream, sizeof stream, first + 1);

    (void)unused;
    lpel_output(from, stream);
    lpel_input(to, stream);
    lpel_start(from);
    lpel_start(to);
}

int main(int argc, char **argv)
{
    struct lpel_config config = {.chunk_kb = 64};

    if (argc > 1 && !strcmp(argv[1], "messages"))
        config.variant = LPEL_MESSAGES;
    lpel_init(&argc, &argv, &config);
    lpel_run(build, NULL);
    lpel_finalize();
    return 0;
}
