/*
 * radix.c: a radix sort of integers after SPLASH-2's description, written anew
 * with pthreads only.
 *
 *   radix [THREADS KEYS]
 *
 * Four passes of eight bits: each thread counts the digits of its part, all
 * counts are summed up, and each thread moves its keys to their places, which
 * lie all over the array. Who waits does so at barriers, not at flags. The
 * output is the threads, the microseconds, and "sorted" or "wrong".
 */
#include "team.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BITS 8
#define DIGITS (1 << BITS)

static uint32_t *keys, *moved;
static int counts[48][DIGITS];
static int length;

static int part(int number)
{
    return (int)((int64_t)length * number / threads);
}

static void count(int number, const uint32_t *from, int shift)
{
    int own[DIGITS] = {0};

    for (int n = part(number); n < part(number + 1); n++)
        own[from[n] >> shift & (DIGITS - 1)]++;
    for (int digit = 0; digit < DIGITS; digit++)
        counts[number][digit] = own[digit];
}

/* Where this thread's first key of each digit goes. */
static void places(int number, int *place)
{
    int sum = 0;

    for (int digit = 0; digit < DIGITS; digit++)
        for (int thread = 0; thread < threads; thread++) {
            if (thread == number)
                place[digit] = sum;
            sum += counts[thread][digit];
        }
}

static void pass(int number, const uint32_t *from, uint32_t *to, int shift)
{
    int place[DIGITS];

    count(number, from, shift);
    pthread_barrier_wait(&barrier);
    places(number, place);
    for (int n = part(number); n < part(number + 1); n++)
        to[place[from[n] >> shift & (DIGITS - 1)]++] = from[n];
    pthread_barrier_wait(&barrier);
}

static void fill(int number)
{
    uint32_t state = (uint32_t)number * 2654435761u + 1;

    for (int n = part(number); n < part(number + 1); n++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        keys[n] = state;
    }
}

static void *work(void *argument)
{
    int number = *(int *)argument;
    long start;

    fill(number);
    pthread_barrier_wait(&barrier);
    start = microseconds();
    for (int shift = 0; shift < 32; shift += 2 * BITS) {
        pass(number, keys, moved, shift);
        pass(number, moved, keys, shift + BITS);
    }
    return (void *)(microseconds() - start);
}

int main(int argc, char **argv)
{
    int wrong = 0;
    long time;

    threads = argc > 1 ? atoi(argv[1]) : 2;
    length = argc > 2 ? atoi(argv[2]) : 4096;
    if (threads < 1 || threads > 48 || length < threads) {
        fprintf(stderr, "radix: 1 to 48 threads, at least as many keys\n");
        return 2;
    }
    keys = malloc((size_t)length * sizeof *keys);
    moved = malloc((size_t)length * sizeof *moved);
    if (!run_team(work, &time))
        return 1;
    for (int n = 1; n < length; n++)
        wrong += keys[n - 1] > keys[n];
    printf("radix %d %ld %s\n", threads, time, wrong ? "wrong" : "sorted");
    return 0;
}
