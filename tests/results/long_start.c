/*
 * A program with a long start before its own work, which it times itself. In
 * the work a region is entered twice.
 */
#include <stdio.h>

#include "RCCE.h"
#include "rck_mark.h"

#define START 400000
#define WORK 960000

static volatile int sum;

static void work(int rounds)
{
    for (int i = 0; i < rounds; i++)
        sum += i;
}

int main(int argc, char **argv)
{
    work(START);
    RCCE_init(&argc, &argv);

    double begin = RCCE_wtime();

    for (int half = 0; half < 2; half++) {
        rck_region_begin("half");
        work(WORK / 2 / RCCE_num_ues());
        rck_region_end("half");
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    double seconds = RCCE_wtime() - begin;

    if (RCCE_ue() == 0)
        printf("%.9f\n", seconds);
    RCCE_finalize();
    work(START);
    return 0;
}
