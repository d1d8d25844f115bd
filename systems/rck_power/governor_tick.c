/*
 * governor_tick.c: look, guess, choose.
 *
 * A change of voltage takes the regulator a while. The governor does not
 * wait for it: it asks, works on at the old clock, and takes the new one at
 * the first tick that finds the voltage there.
 */
#include "governor.h"

#include <fcntl.h>
#include <unistd.h>

#include "rck_power_private.h"

#define FAST_HZ 1600e6
#define MSR_CESR 0x11
#define MSR_COUNTER 0x12
/* Events: clocks of waiting for reads and for writes, in all rings. */
#define READ_WAITS 0x1A
#define WRITE_WAITS 0x19
#define ALL_RINGS (3u << 6)
#define START_DIVIDER 3
/* In fast cycles: 500 us between looks; under a cap, 100 us. */
#define INTERVAL 800000
#define CAP_INTERVAL 160000
/* A change must gain so much: guesses are not better. */
#define WORTH 0.03

static uint64_t counter(const struct rck_governor *g, int number)
{
    uint64_t value = 0;

    pread(g->counters, &value, sizeof value, MSR_COUNTER + number);
    return value;
}

static void remember(struct rck_governor *g)
{
    g->reads = counter(g, 0);
    g->writes = counter(g, 1);
    g->cycles = __builtin_ia32_rdtsc();
}

static int is_in_charge(const struct rck_governor *g)
{
    return g->goal == RCK_POWER_CAP ? RCCE_ue() == 0
                                    : RCCE_ue() == RCCE_power_domain_master();
}

int rck_governor_open(struct rck_governor *g, enum rck_goal goal, double value)
{
    uint64_t events =
        (READ_WAITS | ALL_RINGS) | (uint64_t)(WRITE_WAITS | ALL_RINGS) << 16;

    *g = (struct rck_governor){.goal = goal,
                               .value = value,
                               .domain = RCCE_power_domain(),
                               .divider = START_DIVIDER};
    if (goal >= RCK_DEADLINE && !(value > 0))
        return RCCE_ERROR_VAL_UNDEFINED;
    if (rck_power_open())
        return RCCE_ERROR_MALLOC;
    g->counters = open("/dev/cpu/0/msr", O_RDWR);
    if (g->counters < 0 ||
        pwrite(g->counters, &events, sizeof events, MSR_CESR) < 0)
        return RCCE_ERROR_MALLOC;
    if (goal == RCK_POWER_CAP && value < governor_least_cap())
        return RCCE_ERROR_VAL_UNDEFINED;
    g->start = rck_power_time();
    if (is_in_charge(g) && goal == RCK_POWER_CAP) {
        governor_cap_start(g);
        g->energy = rck_power_chip_energy();
        g->time = rck_power_time();
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    remember(g);
    return RCCE_SUCCESS;
}

void rck_governor_close(struct rck_governor *g)
{
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == RCCE_power_domain_master())
        rck_power_set(g->domain, START_DIVIDER);
    close(g->counters);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

/* Whether time is so short that only `seconds` for what is left will do. */
static double seconds_left(const struct rck_governor *g, double done,
                           double cycles)
{
    double elapsed = (double)(rck_power_time() - g->start) * 1e-12;
    double interval = cycles * g->divider / FAST_HZ;

    /* What the interval may take, if all that is left goes as it did. */
    return done > 0 && done < 1
               ? interval * (g->value - elapsed) / (elapsed * (1 - done) / done)
               : interval;
}

static double score(const struct rck_governor *g, double cycles, double waiting,
                    int divider, double limit)
{
    struct rck_governor_guess guess =
        rck_governor_guess(cycles, waiting, g->divider, divider);

    if (g->goal == RCK_LEAST_EDP)
        return guess.joules * guess.seconds;
    /* Too slow is worse than any energy; among those the fastest. */
    if (g->goal == RCK_DEADLINE && guess.seconds > limit)
        return 1e6 + guess.seconds;
    return guess.joules;
}

static void choose(struct rck_governor *g, double cycles, double waiting,
                   double done)
{
    double limit = g->goal == RCK_DEADLINE ? seconds_left(g, done, cycles) : 0;
    double now = score(g, cycles, waiting, g->divider, limit), least = now;
    int best = g->divider;

    for (int d = RCK_POWER_FASTEST; d <= RCK_POWER_SLOWEST; d++) {
        double value = score(g, cycles, waiting, d, limit);

        if (value < least) {
            least = value;
            best = d;
        }
    }
    if (best == g->divider || least > now * (1 - WORTH))
        return;
    g->changes++;
    g->wanted = 0;
    if (best < g->divider &&
        rck_power_millivolts(g->domain) < rck_power_needs(best)) {
        rck_power_command(g->domain, rck_power_needs(best));
        g->wanted = best;
        return;
    }
    for (int n = 0; n < 4; n++)
        rck_power_set_tile(rck_power_tile_of(g->domain, n), best);
    /* Waits only if the regulator is still busy. */
    if (rck_power_millivolts(g->domain) > rck_power_needs(best))
        rck_power_command(g->domain, rck_power_needs(best));
    g->divider = best;
}

/* The clock that was wanted, once its voltage is there. */
static void take_wanted(struct rck_governor *g)
{
    if (rck_power_millivolts(g->domain) < rck_power_needs(g->wanted))
        return;
    for (int n = 0; n < 4; n++)
        rck_power_set_tile(rck_power_tile_of(g->domain, n), g->wanted);
    g->divider = g->wanted;
    g->wanted = 0;
    remember(g);
}

static void look_at_chip(struct rck_governor *g)
{
    uint64_t energy = rck_power_chip_energy(), time = rck_power_time();

    if (time <= g->time)
        return;
    governor_cap_look(g, energy, time);
    g->energy = energy;
    g->time = time;
}

void rck_governor_tick(struct rck_governor *g, double done)
{
    if (!is_in_charge(g))
        return;
    uint64_t cycles = __builtin_ia32_rdtsc() - g->cycles;
    int divider = g->goal == RCK_POWER_CAP ? rck_power_divider(0) : g->divider;

    if (cycles * (uint64_t)divider <
        (g->goal == RCK_POWER_CAP ? CAP_INTERVAL : INTERVAL))
        return;
    g->looks++;
    if (g->goal == RCK_POWER_CAP) {
        look_at_chip(g);
        g->cycles = __builtin_ia32_rdtsc();
        return;
    }
    if (g->wanted) {
        take_wanted(g);
        return;
    }
    uint64_t waiting = counter(g, 0) - g->reads + counter(g, 1) - g->writes;
    choose(g, (double)cycles, (double)waiting, done);
    remember(g);
}
