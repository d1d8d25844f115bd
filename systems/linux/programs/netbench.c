/*
 * netbench.c: what the network between the cores takes.
 *
 *   netbench ping [SIZE ...]     ranks 0 and 1: datagrams there and back
 *   netbench stream [SIZE ...]   ranks 0 and 1: a TCP connection, by size of a
 *                                write
 *   netbench message [SIZE ...]  ranks 0 and 1: a message over TCP, until its
 *                                receiver has all of it and says so
 *
 * Under Linux: rck linux run --network -n 2 ./netbench ping
 */
#include <netinet/tcp.h>

#include "net.h"

#define WARM 5
#define ROUNDS 20
#define STREAM_WRITES 500u
#define STREAM_MOST 400000u
#define MOST_SIZES 32

struct sizes {
    int count;
    unsigned bytes[MOST_SIZES];
};

/* Until the other one is there, its socket does not answer. */
static void meet(int file)
{
    if (job->rank == 1) {
        while (hear(file, -1) != 1)
            ;
        say_to(file, 0, 1);
        return;
    }
    do
        say_to(file, 1, 1);
    while (hear(file, 20) != 1);
}

static void ping(const struct sizes *sizes)
{
    int file = open_socket(SOCK_DGRAM);

    meet(file);
    for (int n = 0; n < sizes->count; n++) {
        double start = 0;

        for (int round = -WARM; round < ROUNDS; round++) {
            if (round == 0)
                start = now_us();
            if (job->rank == 0)
                say_to(file, 1, sizes->bytes[n]);
            if (hear(file, PATIENCE_MS) < 0)
                fail("a datagram was lost");
            if (job->rank == 1)
                say_to(file, 0, sizes->bytes[n]);
        }
        if (job->rank == 0)
            printf("%5u bytes: %8.1f us there and back\n", sizes->bytes[n],
                   (now_us() - start) / ROUNDS);
    }
}

static int connect_to(int rank)
{
    struct sockaddr_in other = address_of(rank);

    for (;;) {
        int file = socket(AF_INET, SOCK_STREAM, 0);

        if (!connect(file, (struct sockaddr *)&other, sizeof other))
            return file;
        close(file);
        usleep(1000);
    }
}

static void write_all(int file, unsigned bytes, unsigned size)
{
    for (unsigned left = bytes, part; left; left -= part) {
        part = left < size ? left : size;
        if (write(file, data, part) != (ssize_t)part)
            fail("write");
    }
}

static void read_all(int file, unsigned bytes)
{
    while (bytes) {
        ssize_t got = read(file, data, bytes < LONGEST ? bytes : LONGEST);

        if (got <= 0)
            fail("read");
        bytes -= (unsigned)got;
    }
}

/* The microseconds until the other side, which takes the same turn, says that
 * it has all; 0 there. */
static double turn(int file, unsigned bytes, unsigned size)
{
    double start = now_us();

    if (job->rank == 1) {
        read_all(file, bytes);
        write_all(file, 1, 1);
        return 0;
    }
    write_all(file, bytes, size);
    read_all(file, 1);
    return now_us() - start;
}

static int connection(void)
{
    int file, yes = 1;

    if (job->rank == 0) {
        file = connect_to(1);
    } else {
        int listener = open_socket(SOCK_STREAM);

        if (listen(listener, 1))
            fail("listen");
        file = accept(listener, NULL, NULL);
    }
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return file;
}

static void stream(const struct sizes *sizes)
{
    int file = connection();

    for (int n = 0; n < sizes->count; n++) {
        unsigned size = sizes->bytes[n], bytes = size * STREAM_WRITES;
        double us;

        if (bytes > STREAM_MOST)
            bytes = STREAM_MOST;
        us = turn(file, bytes, size);
        if (job->rank == 0)
            printf("%5u bytes a write: %6.2f MB/s\n", size, bytes / us);
    }
}

static void messages(const struct sizes *sizes)
{
    int file = connection();

    for (int n = 0; n < sizes->count; n++) {
        unsigned size = sizes->bytes[n];
        double us = 0;

        for (int round = -WARM; round < ROUNDS; round++)
            us = (round > 0 ? us : 0) + turn(file, size, size);
        if (job->rank == 0)
            printf("%5u bytes: %8.1f us and the answer\n", size, us / ROUNDS);
    }
}

static int of_two(const char *what, const struct sizes *given)
{
    static const struct {
        const char *name;
        void (*run)(const struct sizes *);
        struct sizes usual;
    } ways[] = {
        {"ping", ping, {7, {16, 64, 256, 1024, 1472, 4096, 16384}}},
        {"stream", stream, {5, {64, 512, 1448, 8192, 65536}}},
        {"message", messages, {2, {1024, 65536}}},
    };

    for (unsigned n = 0; n < sizeof ways / sizeof *ways; n++) {
        if (strcmp(what, ways[n].name))
            continue;
        ways[n].run(given->count ? given : &ways[n].usual);
        return 1;
    }
    return 0;
}

static int read_sizes(struct sizes *sizes, char **words)
{
    for (; *words; words++) {
        int size = atoi(*words);

        if (size <= 0 || size > (int)LONGEST || sizes->count == MOST_SIZES)
            return 0;
        sizes->bytes[sizes->count++] = (unsigned)size;
    }
    return 1;
}

int main(int argc, char **argv)
{
    struct sizes sizes = {0};

    job = argc > 1 ? scc_job() : NULL;
    if (!job || job->ranks != 2 || !read_sizes(&sizes, argv + 2) ||
        !of_two(argv[1], &sizes))
        return fprintf(stderr, "usage: netbench ping|stream|message [SIZE ...] "
                               "(two ranks)\n"),
               64;
    return 0;
}
