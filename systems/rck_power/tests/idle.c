// The least cap is what an idle chip draws at the slowest clocks and 1.1 V:
// measured here by a chip whose other 47 cores are not used.
// cc: -O2 -DRC_POWER_MANAGEMENT -lrck_power -lrcce
// run: -n 1 --tag none
// expect-stdout:
// least cap refused: 0, below it: 1
// idle chip: 1
#include "rck_governor.h"

#include <stdio.h>

#define LEAST 28.0
#define SLOWEST 16
#define PS_PER_MS 1000000000ull

static void wait(uint64_t picoseconds)
{
    for (uint64_t end = rck_power_time() + picoseconds; rck_power_time() < end;)
        ;
}

int main(int argc, char **argv)
{
    struct rck_governor governor;
    uint64_t energy, time, more, later;

    RCCE_init(&argc, &argv);
    if (rck_power_open())
        return 1;
    int below = rck_governor_open(&governor, RCK_POWER_CAP, LEAST - 0.1);
    int least = rck_governor_open(&governor, RCK_POWER_CAP, LEAST);
    printf("least cap refused: %d, below it: %d\n", least != RCCE_SUCCESS,
           below == RCCE_ERROR_VAL_UNDEFINED);
    for (int tile = 0; tile < RCK_POWER_TILES; tile++)
        rck_power_set_tile(tile, SLOWEST);
    rck_power_chip_look(&energy, &time);
    wait(PS_PER_MS);
    rck_power_chip_look(&more, &later);
    double watts = (double)(more - energy) / (double)(later - time) / 1000;
    /* The one that looks is not idle. */
    int holds = watts > LEAST - 0.1 && watts < LEAST + 0.3;
    printf("idle chip: %d\n", holds);
    if (!holds)
        printf("%.3f W\n", watts);
    return RCCE_finalize();
}
