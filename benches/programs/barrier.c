/*
 * One core computes, all others wait for it at a barrier. Run on one core,
 * it is what that core does alone.
 */
#include "RCCE.h"

#include "bench.h"

#define SIEVE 8192
#define PRIMES 1028 /* below SIEVE */

static uint8_t composite[SIEVE];

static unsigned sieve(void)
{
    unsigned primes = 0;

    for (unsigned i = 0; i < SIEVE; i++)
        composite[i] = 0;
    for (unsigned i = 2; i < SIEVE; i++) {
        if (composite[i])
            continue;
        primes++;
        for (unsigned j = 2 * i; j < SIEVE; j += i)
            composite[j] = 1;
    }
    return primes != PRIMES;
}

int RCCE_APP(int argc, char **argv)
{
    unsigned wrong = 0;

    RCCE_init(&argc, &argv);
    unsigned rounds = bench_argument(argc, argv, 1, 1);
    if (RCCE_ue() == 0)
        for (unsigned round = 0; round < rounds; round++)
            wrong += sieve();
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return bench_verdict("barrier", rounds, wrong);
}
