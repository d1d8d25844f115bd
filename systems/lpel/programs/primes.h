/*
 * primes.h: the counting of primes, which primes.c and primes_rcce.c
 * distribute.
 */
#ifndef PRIMES_H
#define PRIMES_H

#define RANGES 24  /* parts of the numbers below the bound */
#define COUNTERS 8 /* tasks */

static int is_prime(int n)
{
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return n > 1;
}

static int primes_in(int range, int bound)
{
    int from = bound / RANGES * range, count = 0;
    int to = range == RANGES - 1 ? bound : from + bound / RANGES;

    for (int n = from; n < to; n++)
        count += is_prime(n);
    return count;
}

#endif
