/*
 * The C library's qsort over 2,000 random numbers with a comparison function;
 * sorted, and none lost.
 */
#include "bench.h"

#define NUMBERS 2000

static uint32_t number[NUMBERS];

static int compare(const void *one, const void *other)
{
    uint32_t x = *(const uint32_t *)one, y = *(const uint32_t *)other;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    uint32_t state = 1;

    for (unsigned round = 0; round < rounds; round++) {
        uint32_t sum = 0;
        for (unsigned i = 0; i < NUMBERS; i++)
            sum += number[i] = bench_random(&state);
        qsort(number, NUMBERS, sizeof number[0], compare);
        for (unsigned i = 0; i < NUMBERS; i++) {
            sum -= number[i];
            wrong += i > 0 && number[i - 1] > number[i];
        }
        wrong += sum != 0;
    }
    return bench_verdict("sorting", rounds, wrong);
}
