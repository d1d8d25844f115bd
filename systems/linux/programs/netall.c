/*
 * netall.c: all cores send to all others over Linux's network between them.
 *
 *   netall ROUNDS [MS]   each rank sends a datagram to each other one, round by
 *                        round, and counts what comes; a round begins every MS
 *                        milliseconds, or at once
 *
 * Under Linux: rck linux run --network -n 48 ./netall 3
 */
#include "net.h"

#define ALL_BYTES 512

static void wait_until(double us)
{
    double left = us - now_us();

    if (left > 0)
        usleep((useconds_t)left);
}

static void all(int rounds, int period_ms)
{
    int file = open_socket(SOCK_DGRAM), came = 0;
    int wanted = rounds * (job->ranks - 1);
    double start;

    /* Whoever comes first waits for the last one's socket. */
    sleep(2);
    start = now_us();
    for (int round = 0; round < rounds; round++) {
        wait_until(start + round * period_ms * 1e3);
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
    job = argc > 1 ? scc_job() : NULL;
    if (!job || argc > 3)
        return fprintf(stderr, "usage: netall ROUNDS [MS]\n"), 64;
    all(atoi(argv[1]), argc == 3 ? atoi(argv[2]) : 0);
    return 0;
}
