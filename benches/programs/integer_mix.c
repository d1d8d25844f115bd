/*
 * Integer mix: a sieve, a matrix product, bit counts, Collatz sequences and
 * a hash table, all in L1. Each part has a result known from mathematics.
 */
#include "bench.h"

#include <string.h>

#define SIEVE 8192
#define PRIMES 1028 /* below SIEVE */
#define EDGE 16
#define SLOTS 512
#define KEYS 256

static uint8_t composite[SIEVE];
static int32_t pascal[EDGE][EDGE], inverse[EDGE][EDGE], product[EDGE][EDGE];
static uint32_t slot[SLOTS];

static unsigned sieve(void)
{
    unsigned primes = 0;

    memset(composite, 0, sizeof composite);
    for (unsigned i = 2; i < SIEVE; i++) {
        if (composite[i])
            continue;
        primes++;
        for (unsigned j = 2 * i; j < SIEVE; j += i)
            composite[j] = 1;
    }
    return primes != PRIMES;
}

/* Pascal's triangle, and its inverse: the same with alternating signs. */
static void make_matrices(void)
{
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j <= i; j++) {
            pascal[i][j] =
                j == 0 || j == i ? 1 : pascal[i - 1][j - 1] + pascal[i - 1][j];
            inverse[i][j] = (i + j) % 2 ? -pascal[i][j] : pascal[i][j];
        }
}

static unsigned multiply(void)
{
    unsigned wrong = 0;

    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++) {
            int32_t sum = 0;
            for (int k = 0; k < EDGE; k++)
                sum += pascal[i][k] * inverse[k][j];
            product[i][j] = sum;
        }
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++)
            wrong += product[i][j] != (i == j);
    return wrong;
}

/* All numbers of 11 bits have 11 * 2^10 bits set. */
static unsigned count_bits(void)
{
    unsigned bits = 0;

    for (uint32_t i = 0; i < 2048; i++) {
        uint32_t x = i - (i >> 1 & 0x55555555u);
        x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
        bits += ((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
    }
    return bits != 11 * 1024;
}

/* Start 231 goes furthest of those below 300: 127 steps. */
static unsigned collatz(void)
{
    unsigned longest = 0, start = 0;

    for (uint32_t i = 1; i < 300; i++) {
        unsigned steps = 0;
        for (uint32_t n = i; n != 1; steps++)
            n = n & 1 ? 3 * n + 1 : n >> 1;
        if (steps > longest)
            longest = steps, start = i;
    }
    return longest != 127 || start != 231;
}

static unsigned place_of(uint32_t key)
{
    unsigned at = key * 2654435769u >> 23;

    while (slot[at] != 0 && slot[at] != key)
        at = (at + 1) % SLOTS;
    return at;
}

/* Every second number goes in: those are found, the others are not. */
static unsigned hash(void)
{
    unsigned found = 0;

    memset(slot, 0, sizeof slot);
    for (uint32_t key = 1; key <= KEYS; key++)
        slot[place_of(2 * key)] = 2 * key;
    for (uint32_t key = 1; key <= 2 * KEYS; key++)
        found += slot[place_of(key)] == key;
    return found != KEYS;
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;

    make_matrices();
    for (unsigned round = 0; round < rounds; round++) {
        bench_keep(pascal);
        wrong += sieve() + multiply() + count_bits() + collatz() + hash();
    }
    return bench_verdict("integer_mix", rounds, wrong);
}
