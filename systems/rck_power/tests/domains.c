// A domain's energy is the energy of its own tiles: with one core in each
// domain, the domain of the core that works gains most.
// cc: -O2 -DRC_POWER_MANAGEMENT -lrck_power -lrcce
// run: --cores 0,4,8,24,28,32 --tag none
// expect-stdout:
// core of domain 0: domain 0
// core of domain 1: domain 1
// core of domain 2: domain 2
// core of domain 3: domain 3
// core of domain 4: domain 4
// core of domain 5: domain 5
#include "rck_power.h"

#include <stdio.h>
#include <unistd.h>

#define SLEEP_US 3000
#define ADDITIONS 60000

static volatile int work;

static void read_all(uint64_t *energy)
{
    for (int domain = 0; domain < RCK_POWER_DOMAINS; domain++)
        rck_power_domain_energy(domain, energy + domain);
}

/* The domain that gains most while this core works and the others sleep. */
static int busiest(void)
{
    uint64_t before[RCK_POWER_DOMAINS], after[RCK_POWER_DOMAINS];
    int most = 0;

    read_all(before);
    for (int i = 0; i < ADDITIONS; i++)
        work++;
    read_all(after);
    for (int domain = 1; domain < RCK_POWER_DOMAINS; domain++)
        if (after[domain] - before[domain] > after[most] - before[most])
            most = domain;
    return most;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), error = rck_power_open();
    for (int turn = 0; turn < RCK_POWER_DOMAINS && !error; turn++) {
        RCCE_barrier(&RCCE_COMM_WORLD);
        if (turn != me) {
            usleep(SLEEP_US);
            continue;
        }
        printf("core of domain %d: domain %d\n", turn, busiest());
    }
    return RCCE_finalize() || error;
}
