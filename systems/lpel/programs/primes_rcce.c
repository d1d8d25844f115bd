/*
 * primes_rcce.c: primes.c by RCCE. Rank 0 polls the workers in turn: a worker
 * that has sent its last count gets the next range, or -1 if none is left.
 */
#include <stdio.h>
#include <stdlib.h>

#include "RCCE.h"
#include "primes.h"

static int bound = 20000;

static void deal(void)
{
    int workers = RCCE_num_ues() - 1, next = 0, sum = 0, busy = workers;
    int *count = calloc((size_t)workers + 1, sizeof *count);

    while (busy) {
        for (int ue = 1; ue <= workers; ue++) {
            int there = 0, range = next < RANGES ? next : -1;

            if (count[ue] < 0)
                continue;
            RCCE_recv_test((char *)&count[ue], sizeof *count, ue, &there);
            if (!there)
                continue;
            sum += count[ue];
            RCCE_send((char *)&range, sizeof range, ue);
            next++;
            if (range < 0) {
                count[ue] = -1;
                busy--;
            }
        }
    }
    printf("%d primes below %d\n", sum, bound);
    free(count);
}

static void count_ranges(void)
{
    int range, count = 0;

    do {
        RCCE_send((char *)&count, sizeof count, 0);
        RCCE_recv((char *)&range, sizeof range, 0);
        if (range >= 0)
            count = primes_in(range, bound);
    } while (range >= 0);
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    if (argc > 1)
        bound = atoi(argv[1]);
    if (RCCE_ue() == 0)
        deal();
    else
        count_ranges();
    RCCE_finalize();
    return 0;
}
