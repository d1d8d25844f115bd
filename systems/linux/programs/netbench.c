/*
 * netbench.c: what the network between the cores takes.
 *
 *   netbench ping          ranks 0 and 1: datagrams there and back, by size
 *   netbench stream        ranks 0 and 1: a TCP connection, by size of a write
 *   netbench all ROUNDS    each rank sends a datagram to each other one, round
 *                          by round, and counts what comes
 *
 * Under Linux: rck linux run --network -n 2 ./netbench ping
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "scc/job.h"

#define PORT 7000
#define WARM 5
#define ROUNDS 20
#define STREAM_WRITES 500u
#define STREAM_MOST 400000u
#define LONGEST 65536u
#define ALL_BYTES 512
#define PATIENCE_MS 5000

static const struct scc_job *job;
static char data[LONGEST];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static struct sockaddr_in address_of(int rank)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(PORT)};

    address.sin_addr.s_addr =
        htonl(0xC0A80000u + (unsigned)job->core_of[rank] + 1);
    return address;
}

static int open_socket(int type)
{
    struct sockaddr_in own = address_of(job->rank);
    int file = socket(AF_INET, type, 0);

    if (file < 0 || bind(file, (struct sockaddr *)&own, sizeof own))
        fail("socket");
    return file;
}

static void say_to(int file, int rank, size_t bytes)
{
    struct sockaddr_in other = address_of(rank);

    if (sendto(file, data, bytes, 0, (struct sockaddr *)&other, sizeof other) !=
        (ssize_t)bytes)
        fail("sendto");
}

/* The length of the next datagram; -1 if none comes. */
static ssize_t hear(int file, int patience_ms)
{
    struct pollfd wanted = {.fd = file, .events = POLLIN};

    if (poll(&wanted, 1, patience_ms) <= 0)
        return -1;
    return recv(file, data, sizeof data, 0);
}

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

static void ping(void)
{
    static const unsigned sizes[] = {16, 64, 256, 1024, 1472, 4096, 16384};
    int file = open_socket(SOCK_DGRAM);

    meet(file);
    for (unsigned n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        double start = 0;

        for (int round = -WARM; round < ROUNDS; round++) {
            if (round == 0)
                start = now_us();
            if (job->rank == 0)
                say_to(file, 1, sizes[n]);
            if (hear(file, PATIENCE_MS) < 0)
                fail("a datagram was lost");
            if (job->rank == 1)
                say_to(file, 0, sizes[n]);
        }
        if (job->rank == 0)
            printf("%5u bytes: %8.1f us there and back\n", sizes[n],
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

/* Sends all by writes of one size; the other side answers when it has all. */
static void stream_by(unsigned size, int listener)
{
    unsigned all = size * STREAM_WRITES, left;

    if (all > STREAM_MOST)
        all = STREAM_MOST;
    left = all;
    if (job->rank == 1) {
        int file = accept(listener, NULL, NULL);

        while (left) {
            ssize_t got = read(file, data, sizeof data);

            if (got <= 0)
                fail("read");
            left -= (unsigned)got;
        }
        if (write(file, "", 1) != 1)
            fail("write");
        close(file);
        return;
    }
    int file = connect_to(1), yes = 1;
    double start = now_us();

    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    while (left) {
        unsigned part = left < size ? left : size;

        if (write(file, data, part) != (ssize_t)part)
            fail("write");
        left -= part;
    }
    if (read(file, data, 1) != 1)
        fail("read");
    printf("%5u bytes a write: %6.2f MB/s\n", size, all / (now_us() - start));
    close(file);
}

static void stream(void)
{
    static const unsigned sizes[] = {64, 512, 1448, 8192, 65536};
    int listener = job->rank == 1 ? open_socket(SOCK_STREAM) : -1;

    if (listener >= 0 && listen(listener, 1))
        fail("listen");
    for (unsigned n = 0; n < sizeof sizes / sizeof *sizes; n++)
        stream_by(sizes[n], listener);
}

static void all(int rounds)
{
    int file = open_socket(SOCK_DGRAM), came = 0;
    int wanted = rounds * (job->ranks - 1);
    double start;

    /* Whoever comes first waits for the last one's socket. */
    sleep(2);
    start = now_us();
    for (int round = 0; round < rounds; round++) {
        for (int n = 1; n < job->ranks; n++)
            say_to(file, (job->rank + n) % job->ranks, ALL_BYTES);
        while (came < (round + 1) * (job->ranks - 1) &&
               hear(file, PATIENCE_MS) >= 0)
            came++;
    }
    printf("%d of %d datagrams came, in %.2f s\n", came, wanted,
           (now_us() - start) / 1e6);
    if (came != wanted)
        exit(1);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    job = scc_job();
    if (job && job->rank >= 0 && strcmp(what, "ping") == 0 && job->ranks == 2)
        ping();
    else if (job && strcmp(what, "stream") == 0 && job->ranks == 2)
        stream();
    else if (job && strcmp(what, "all") == 0 && argc == 3)
        all(atoi(argv[2]));
    else
        return fprintf(stderr, "usage: netbench ping|stream (two ranks), or "
                               "netbench all ROUNDS\n"),
               64;
    return 0;
}
