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
/* Events, in all rings: clocks of waiting for reads, and reads that L1 does
 * not answer. */
#define READ_WAITS 0x1A
#define READ_MISSES 0x03
#define ALL_RINGS (3u << 6)
/* The fastest clock that bears the lowest voltage; and that of a started
 * chip. */
#define START_DIVIDER 5
#define CHIP_DIVIDER 3
/* In fast cycles: 750 us between looks; under a cap, 100 us. */
#define INTERVAL 1200000
#define CAP_INTERVAL 160000
/* Looks after which a clock has stayed. */
#define CALM 10

static uint64_t counter(const struct rck_governor *g, int number)
{
    uint64_t value = 0;

    pread(g->counters, &value, sizeof value, MSR_COUNTER + number);
    return value;
}

static int start_counters(struct rck_governor *g)
{
    uint64_t events =
        (READ_WAITS | ALL_RINGS) | (uint64_t)(READ_MISSES | ALL_RINGS) << 16;

    g->counters = open("/dev/cpu/0/msr", O_RDWR);
    return g->counters < 0 ||
           pwrite(g->counters, &events, sizeof events, MSR_CESR) < 0;
}

static void remember(struct rck_governor *g)
{
    g->waits = counter(g, 0);
    g->misses = counter(g, 1);
    g->cycles = __builtin_ia32_rdtsc();
}

static int is_in_charge(const struct rck_governor *g)
{
    return g->goal == RCK_POWER_CAP ? RCCE_ue() == 0
                                    : RCCE_ue() == RCCE_power_domain_master();
}

int rck_governor_open(struct rck_governor *g, enum rck_goal goal, double value)
{
    *g = (struct rck_governor){.goal = goal,
                               .value = value,
                               .domain = RCCE_power_domain(),
                               .divider = START_DIVIDER};
    g->in_charge = is_in_charge(g);
    if (goal >= RCK_DEADLINE && !(value > 0))
        return RCCE_ERROR_VAL_UNDEFINED;
    if (rck_power_open())
        return RCCE_ERROR_MALLOC;
    if (start_counters(g))
        return RCCE_ERROR_MALLOC;
    if (goal == RCK_POWER_CAP && value < rck_power_governor_least_cap())
        return RCCE_ERROR_VAL_UNDEFINED;
    if (g->in_charge && goal != RCK_POWER_CAP)
        rck_power_set(g->domain, START_DIVIDER);
    g->millivolts = rck_power_needs(START_DIVIDER);
    g->start = rck_power_time();
    if (g->in_charge && goal == RCK_POWER_CAP) {
        rck_power_governor_cap_start(g);
        rck_power_chip_look(&g->energy, &g->time);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    remember(g);
    return RCCE_SUCCESS;
}

void rck_governor_close(struct rck_governor *g)
{
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == RCCE_power_domain_master())
        rck_power_set(g->domain, CHIP_DIVIDER);
    close(g->counters);
    RCCE_barrier(&RCCE_COMM_WORLD);
}

static void move_to(struct rck_governor *g, int divider)
{
    int needed = rck_power_needs(divider);

    g->changes++;
    g->calm = 0;
    /* The last command to the regulator counts: it may be on its way down. */
    if (needed > g->millivolts) {
        rck_power_command(g->domain, needed);
        g->millivolts = needed;
        g->wanted = divider;
        return;
    }
    for (int n = 0; n < 4; n++)
        rck_power_set_tile(rck_power_tile_of(g->domain, n), divider);
    g->divider = divider;
}

/* A lower voltage is on its way for milliseconds, and so is the way back:
 * only for a clock that has stayed. */
static void lower_voltage(struct rck_governor *g)
{
    int needed = rck_power_needs(g->divider);

    if (++g->calm < CALM || needed >= g->millivolts)
        return;
    rck_power_command(g->domain, needed);
    g->millivolts = needed;
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
}

int rck_governor_barrier(struct rck_governor *g, RCCE_COMM *comm)
{
    int slows = g->in_charge && g->goal != RCK_POWER_CAP && !g->wanted;

    for (int n = 0; slows && n < 4; n++)
        rck_power_set_tile(rck_power_tile_of(g->domain, n), RCK_POWER_SLOWEST);
    int error = RCCE_barrier(comm);
    for (int n = 0; slows && n < 4; n++)
        rck_power_set_tile(rck_power_tile_of(g->domain, n), g->divider);
    /* What was waited is no part of the work. */
    if (slows)
        remember(g);
    return error;
}

static void look_at_chip(struct rck_governor *g)
{
    uint64_t energy, time;

    rck_power_chip_look(&energy, &time);
    if (time <= g->time)
        return;
    rck_power_governor_cap_look(g, energy, time);
    g->energy = energy;
    g->time = time;
}

void rck_governor_tick(struct rck_governor *g, double done)
{
    if (!g->in_charge)
        return;
    if (!g->ticked) {
        /* What came before is none of the work. */
        g->ticked = 1;
        g->start = rck_power_time();
        if (g->goal != RCK_POWER_CAP)
            remember(g);
    }
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
    /* The program did without us for long: who knows what it was. */
    if (cycles * (uint64_t)divider > 4 * INTERVAL) {
        remember(g);
        return;
    }
    struct rck_governor_sample sample = {
        .cycles = (double)cycles,
        .waiting = (double)(counter(g, 0) - g->waits),
        .accesses = (double)(counter(g, 1) - g->misses),
        .divider = g->divider,
    };
    if (g->wanted) {
        g->ideal += rck_governor_guess(&sample, RCK_POWER_FASTEST).seconds;
        take_wanted(g);
        remember(g);
        return;
    }
    lower_voltage(g);
    int try =
        g->goal == RCK_DEADLINE ? 0 : rck_power_governor_learn(g, &sample);
    if (try) {
        g->before = g->divider;
        move_to(g, try);
    } else {
        int best = rck_power_governor_choose(g, &sample, done);

        if (best != g->divider) {
            g->before = g->divider;
            move_to(g, best);
        }
    }
    remember(g);
}
