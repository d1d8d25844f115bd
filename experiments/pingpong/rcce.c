/*
 * rcce.c: RCCE's ping-pong. Ranks 0 and 1 send a message back and forth.
 *
 *     rcce LARGEST
 *
 * Sizes are the powers of two up to LARGEST bytes. Each begins with a round
 * that is not measured, which leaves in the caches what they can keep of the
 * buffer. Rank 0 prints for each size: bytes, rounds, cycles.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"

#define MOST (1u << 20)
/* So many bytes a size in all, in 1 to MOST_ROUNDS rounds. */
#define VOLUME (1u << 17)
#define MOST_ROUNDS 64u

static char buffer[MOST] __attribute__((aligned(32)));

static void exchange(size_t bytes)
{
    if (RCCE_ue() == 0) {
        RCCE_send(buffer, bytes, 1);
        RCCE_recv(buffer, bytes, 1);
    } else {
        RCCE_recv(buffer, bytes, 0);
        RCCE_send(buffer, bytes, 0);
    }
}

static unsigned rounds_of(size_t bytes)
{
    size_t rounds = VOLUME / bytes;

    if (rounds > MOST_ROUNDS)
        return MOST_ROUNDS;
    return rounds ? (unsigned)rounds : 1;
}

int main(int argc, char **argv)
{
    if (argc < 2 || RCCE_init(&argc, &argv) || RCCE_num_ues() != 2)
        return 2;
    size_t largest = (size_t)atoi(argv[1]);
    for (size_t bytes = 1; bytes <= largest && bytes <= MOST; bytes *= 2) {
        unsigned rounds = rounds_of(bytes);

        exchange(bytes);
        uint64_t start = __builtin_ia32_rdtsc();
        for (unsigned i = 0; i < rounds; i++)
            exchange(bytes);
        uint64_t cycles = __builtin_ia32_rdtsc() - start;
        if (RCCE_ue() == 0)
            printf("%zu %u %llu\n", bytes, rounds, (unsigned long long)cycles);
    }
    return RCCE_finalize();
}
