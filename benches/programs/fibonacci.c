/* Fibonacci's numbers by recursion: calls and returns. */
#include "bench.h"

#define INDEX 20
#define VALUE 6765

static __attribute__((noinline)) uint32_t fibonacci(uint32_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    uint32_t index = INDEX;

    for (unsigned round = 0; round < rounds; round++) {
        bench_keep(&index);
        wrong += fibonacci(index) != VALUE;
    }
    return bench_verdict("fibonacci", rounds, wrong);
}
