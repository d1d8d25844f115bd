/*
 * streams.c: every rank sends packets of random sizes to every other, and
 * checks each byte that comes. Arguments: packets to each peer and channel,
 * the largest packet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rckmpi.h"

static int rank, size, packets = 1000;
static size_t largest = 5000;

/* What goes between two ranks: the sizes and bytes follow from the seed. */
struct stream {
    uint32_t seed;
    int packets;        /* begun */
    size_t bytes, done; /* of the current one */
};
static struct stream out[RCKMPI_MOST_RANKS], in[RCKMPI_MOST_RANKS];
static char buffer[RCKMPI_MOST_RANKS][70000], got[70000];

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Small packets are as frequent as large ones. */
static size_t begin(struct stream *stream)
{
    uint32_t kind = next(&stream->seed);
    size_t most = kind % 3 == 0 ? 64 : kind % 3 == 1 ? 300 : largest;

    stream->packets++;
    stream->done = 0;
    stream->bytes = 1 + next(&stream->seed) % most;
    return stream->bytes;
}

static char byte_at(const struct stream *stream, size_t at)
{
    return (char)(stream->seed + at * 7 + (at >> 8));
}

static void wrong(int peer, const char *what)
{
    fprintf(stderr, "rank %d: packet %d from %d: %s\n", rank, in[peer].packets,
            peer, what);
    rckmpi_abort(1);
}

static void send_some(int peer)
{
    struct stream *stream = &out[peer];

    if (!rckmpi_free(rckmpi_core(peer)))
        return;
    if (stream->done == stream->bytes) {
        if (stream->packets == packets)
            return;
        size_t bytes = begin(stream);
        for (size_t n = 0; n < bytes; n++)
            buffer[peer][n] = byte_at(stream, n);
    }
    /* In two parts, cut anywhere. */
    size_t left = stream->bytes - stream->done, cut;
    cut = left > 3 ? left / 3 : left;
    struct iovec parts[2] = {
        {buffer[peer] + stream->done, cut},
        {buffer[peer] + stream->done + cut, left - cut},
    };
    stream->done += rckmpi_send(rckmpi_core(peer), parts, cut == left ? 1 : 2);
}

static void take_all(int peer)
{
    size_t arrived;

    while ((arrived = rckmpi_arrived(rckmpi_core(peer))) > 0) {
        struct stream *stream = &in[peer];
        if (stream->done == stream->bytes)
            begin(stream);
        size_t now = stream->bytes - stream->done;
        now = now < arrived ? now : arrived;
        if (now > 7)
            now -= stream->packets % 5;
        rckmpi_receive(rckmpi_core(peer), got, now);
        for (size_t n = 0; n < now; n++)
            if (got[n] != byte_at(stream, stream->done + n))
                wrong(peer, "a byte is not what was sent");
        stream->done += now;
    }
}

static int busy(void)
{
    for (int peer = 0; peer < size; peer++)
        if (peer != rank &&
            (out[peer].packets < packets || in[peer].packets < packets ||
             out[peer].done < out[peer].bytes ||
             in[peer].done < in[peer].bytes || !rckmpi_free(rckmpi_core(peer))))
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        packets = atoi(argv[1]);
    if (argc > 2)
        largest = (size_t)atoi(argv[2]);
    rckmpi_open(NULL);
    rckmpi_job(&rank, &size);
    for (int peer = 0; peer < size; peer++) {
        out[peer].seed = (uint32_t)(1000 * rank + peer);
        in[peer].seed = (uint32_t)(1000 * peer + rank);
    }
    while (busy()) {
        rckmpi_round();
        for (int core = rckmpi_next(0); core < RCKMPI_MOST_RANKS;
             core = rckmpi_next(core + 1))
            rckmpi_look(core);
        for (int peer = 0; peer < size; peer++)
            if (peer != rank)
                take_all(peer);
        for (int peer = 0; peer < size; peer++)
            if (peer != rank)
                send_some(peer);
        rckmpi_rest();
    }
    printf("%s: %d bytes a section, %d packets whole\n", rckmpi_channel(),
           (int)rckmpi_section_bytes(), packets * (size - 1));
    return 0;
}
