/*
 * pipe.c: a ring of bytes with two ends. A reader waits while it is empty, a
 * writer while it is full; when the writers are gone the reader sees the end,
 * when the readers are gone the writer gets SIGPIPE.
 */
#include "kernel.h"

#define PIPES 16
#define PIPE_BYTES 512

struct pipe {
    uint32_t read, written; /* bytes ever; the difference is in the ring */
    uint8_t reader, writer; /* whether each end is open */
    uint8_t ring[PIPE_BYTES];
};

static struct pipe pipes[PIPES];

/* Two files, whose numbers go to PAIR. */
int pipe_new(uint32_t pair)
{
    struct pipe *pipe = pipes;
    struct file *ends[2];
    int n;

    if (user_range(pair, 2 * sizeof(int), 1))
        return BAD_ADDRESS;
    while (pipe->reader || pipe->writer)
        if (++pipe == pipes + PIPES)
            return NO_MEMORY;
    pipe->read = pipe->written = 0;
    pipe->reader = pipe->writer = 1;
    ends[0] = file_new(PIPE_READ, pipe);
    ends[1] = file_new(PIPE_WRITE, pipe);
    for (n = 0; n < 2; n++) {
        int number = ends[n] ? file_open(ends[n]) : NO_MEMORY;

        if (number < 0) {
            pipe->reader = pipe->writer = 0;
            return NO_MEMORY;
        }
        ((int *)pair)[n] = number;
    }
    return 0;
}

void pipe_close(struct pipe *pipe, enum kind end)
{
    if (end == PIPE_READ)
        pipe->reader = 0;
    else
        pipe->writer = 0;
    wake(pipe);
}

/* What is there, at least one byte; 0 at the end. */
int pipe_read(struct pipe *pipe, uint8_t *to, uint32_t bytes)
{
    uint32_t n = 0;
    int result;

    while (pipe->read == pipe->written && pipe->writer) {
        result = sleep_on(pipe);
        if (result)
            return result;
    }
    while (n < bytes && pipe->read != pipe->written)
        to[n++] = pipe->ring[pipe->read++ % PIPE_BYTES];
    wake(pipe);
    return (int)n;
}

/* All of it. */
int pipe_write(struct pipe *pipe, const uint8_t *from, uint32_t bytes)
{
    uint32_t n = 0;

    while (n < bytes) {
        if (!pipe->reader) {
            signal_send(current, SIGPIPE);
            return BROKEN_PIPE;
        }
        if (pipe->written - pipe->read == PIPE_BYTES) {
            if (sleep_on(pipe))
                return n ? (int)n : INTERRUPTED;
            continue;
        }
        pipe->ring[pipe->written++ % PIPE_BYTES] = from[n++];
        wake(pipe);
    }
    return (int)n;
}
