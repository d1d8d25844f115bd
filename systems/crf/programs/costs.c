/*
 * costs.c: cycles of commit, reconcile and page faults on one core.
 *
 *   costs [ROUNDS]
 *
 * Prints the words, the cycles of a commit of so many changed words and of a
 * reconcile of so many in a page that is being written; then the cycles of the
 * first read and of the first write of a page that others have changed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "crf.h"

#define WORDS (CRF_PAGE / 4)

static volatile uint32_t page[WORDS] __attribute__((aligned(CRF_PAGE)));

static uint32_t now(void)
{
    return (uint32_t)__builtin_ia32_rdtsc();
}

static void words(size_t count, int rounds)
{
    uint32_t commit = 0, reconcile = 0, start;

    for (int round = 0; round < rounds; round++) {
        for (size_t n = 0; n < count; n++)
            page[n] += 0x01010101u * (uint32_t)(round + 1);
        start = now();
        crf_commit((const void *)page, count, 4, 4);
        commit += now() - start;
        start = now();
        crf_reconcile((const void *)page, 1, 0, count * 4);
        reconcile += now() - start;
    }
    printf("%zu %u %u\n", count, (unsigned)(commit / (uint32_t)rounds),
           (unsigned)(reconcile / (uint32_t)rounds));
}

static void faults(int rounds)
{
    uint32_t read = 0, write = 0, start;

    for (int round = 0; round < rounds; round++) {
        crf_release(); /* the second finds nothing and protects the page */
        crf_release();
        crf_reconcile((const void *)page, 1, 0, CRF_PAGE);
        start = now();
        (void)page[0];
        read += now() - start;
        start = now();
        page[1] ^= 1;
        write += now() - start;
    }
    printf("faults %u %u\n", (unsigned)(read / (uint32_t)rounds),
           (unsigned)(write / (uint32_t)rounds));
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 4;

    page[0] = 1;
    crf_commit((const void *)page, 1, 0, CRF_PAGE);
    page[0] = 2;
    words(1, rounds);
    words(8, rounds);
    words(128, rounds);
    words(WORDS, rounds);
    faults(rounds);
    return 0;
}
