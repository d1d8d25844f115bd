// The meter: energy over time is what the board's current and voltage say, a
// busy core takes more than one at a slower clock, and time goes on.
// cc: -O2 -DRC_POWER_MANAGEMENT -lrck_power -lrcce
// run: -n 1 --tag none
// expect-stdout:
// same as the sensor: 1
// slower takes less: 1, domain is part of the chip: 1
#include "rck_power.h"

#include <stdio.h>

static volatile int work;

static double watts(unsigned *milliwatts, uint64_t *domain)
{
    uint64_t energy, time, again, later, before, after;

    rck_power_chip_look(&energy, &time);
    rck_power_domain_energy(0, &before);
    for (int i = 0; i < 40000; i++)
        work++;
    rck_power_chip_look(&again, &later);
    *milliwatts = rck_power_chip_milliwatts();
    rck_power_domain_energy(0, &after);
    *domain = after - before;
    return (double)(again - energy) / (double)(later - time) * 1e-3;
}

int main(int argc, char **argv)
{
    unsigned sensor, slow_sensor;
    uint64_t domain, slow_domain;

    RCCE_init(&argc, &argv);
    if (rck_power_open())
        return 1;
    watts(&sensor, &domain);
    double fast = watts(&sensor, &domain);
    double difference = fast - sensor / 1000.0;
    printf("same as the sensor: %d\n", difference < 0.03 && difference > -0.03);
    rck_power_set(0, 8);
    watts(&slow_sensor, &slow_domain);
    double slow = watts(&slow_sensor, &slow_domain);
    printf("slower takes less: %d, domain is part of the chip: %d\n",
           slow < fast - 0.2 && slow > 0, domain > 0 && domain * 3 < 1e15);
    return RCCE_finalize();
}
