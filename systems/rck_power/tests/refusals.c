// What cannot be is refused with RCCE's codes, and nothing changes.
// cc: -O2 -DRC_POWER_MANAGEMENT -lrck_power -lrcce
// run: -n 2 --tag none
// expect-stdout:
// dividers: 1 1, domains: 1 1, tiles: 1, volts: 1 1 1
// too fast for the voltage: 1
// goals: 1 1 1
// nothing changed: 1 1
#include "rck_governor.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct rck_governor governor;
    uint64_t energy = 7;

    RCCE_init(&argc, &argv);
    if (rck_power_open() || RCCE_ue())
        return RCCE_finalize();
    int divider = rck_power_divider(0), millivolts = rck_power_millivolts(0);
    int id = RCCE_ERROR_ID, value = RCCE_ERROR_VAL_UNDEFINED;
    printf("dividers: %d %d, domains: %d %d, tiles: %d, volts: %d %d %d\n",
           rck_power_set(0, 1) == RCCE_ERROR_FDIVIDER,
           rck_power_set(0, 17) == RCCE_ERROR_FDIVIDER,
           rck_power_set(6, 4) == id,
           rck_power_domain_energy(-1, &energy) == id && energy == 7,
           rck_power_set_tile(24, 4) == id,
           rck_power_set_millivolts(0, 593) == value,
           rck_power_set_millivolts(0, 1307) == value,
           /* Divider 3 needs 800. */
           rck_power_set_millivolts(0, 700) == value);
    /* 0.8 V bears divider 3, not 2. */
    rck_power_set(1, 3);
    while (rck_power_millivolts(1) > 800)
        ;
    printf("too fast for the voltage: %d\n",
           rck_power_set_tile(2, 2) == RCCE_ERROR_FREQUENCY_EXCEEDED &&
               rck_power_divider(2) == 3);
    printf("goals: %d %d %d\n",
           rck_governor_open(&governor, RCK_POWER_CAP, 20) == value,
           rck_governor_open(&governor, RCK_POWER_CAP, -1) == value,
           rck_governor_open(&governor, RCK_DEADLINE, 0) == value);
    printf("nothing changed: %d %d\n", rck_power_divider(0) == divider,
           rck_power_millivolts(0) == millivolts);
    return RCCE_finalize();
}
