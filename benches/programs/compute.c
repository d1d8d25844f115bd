/*
 * Every core computes in its L1 while its timer interrupts it each
 * millisecond of simulated time: Fermat's little theorem for the primes
 * below 256, and a table that is shuffled and put back.
 */
#include "bench.h"

#include <signal.h>
#include <sys/time.h>

#define TABLE 1024

static volatile sig_atomic_t ticks;
static uint32_t table[TABLE];

static void tick(int number)
{
    (void)number;
    ticks = ticks + 1;
}

static uint32_t power(uint32_t base, uint32_t exponent, uint32_t modulus)
{
    uint32_t result = 1;

    for (; exponent; exponent >>= 1, base = base * base % modulus)
        if (exponent & 1)
            result = result * base % modulus;
    return result;
}

static unsigned fermat(void)
{
    static const uint8_t prime[] = {3, 17, 31, 61, 89, 127, 199, 251};
    unsigned wrong = 0;

    for (unsigned i = 0; i < sizeof prime; i++)
        wrong += power(2, prime[i] - 1u, prime[i]) != 1;
    return wrong;
}

/* Multiplying by 1021 and then by its inverse modulo 1024 moves all back. */
static unsigned shuffle(void)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < TABLE; i++)
        table[i * 1021 % TABLE] = i;
    for (uint32_t i = 0; i < TABLE; i++)
        wrong += table[i] * 1021 % TABLE != i;
    return wrong;
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    struct itimerval each = {{0, 1000}, {0, 1000}};

    if (signal(SIGALRM, tick) == SIG_ERR || setitimer(ITIMER_REAL, &each, NULL))
        return 2;
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned n = 0; n < 16; n++)
            wrong += fermat() + shuffle();
    /* Only a run that was too short has seen none. */
    wrong += rounds > 100 && ticks == 0;
    return bench_verdict("compute", rounds, wrong);
}
