/*
 * governor_cap.c: at most so many watts for the chip.
 *
 * The tiles stay at their voltage, whose changes take milliseconds, and
 * change their clocks, which takes none. The chip is `steps` slower than its
 * fastest point: a step makes one tile one divider slower, and the tiles
 * take turns, so that they differ by one at most. Too much power is answered
 * at once, by as many steps as it takes. Too little is answered at once only
 * as far as the chip would stay below the cap with all cores computing: a
 * phase that waits ends faster than anybody can look. Beyond that the chip
 * gets a step faster at each look, and four at most.
 */
#include "governor.h"

#define FASTEST 3
#define MOST_STEPS (RCK_POWER_TILES * (RCK_POWER_SLOWEST - FASTEST))
/* Aimed at: so far below the cap, in mW; and what is near enough. */
#define BELOW 600
#define NEAR 300
/* The chip at its fastest point when all cores compute, in mW
 * [marc-2011, power study]. */
#define BUSY 50768
#define BEYOND 4

/* What the chip draws at 1.1 V with all tiles at the slowest divider and no
 * core at work, by the chip's power model: memory 17.2, leakage of cores 4.7
 * and routers 2.6, clocks of routers 1.4, tiles 0.6 and die 1.4. A test
 * measures it. */
#define IDLE_W 28.0

double rck_power_governor_least_cap(void)
{
    return IDLE_W;
}

/* A step's milliwatts at this place: a tile takes 0.95 W at 533 MHz in
 * proportion to its clock. */
static int step_mw(int steps)
{
    int divider = FASTEST + steps / RCK_POWER_TILES;

    return 1 + 950 * FASTEST / (divider * (divider + 1));
}

static int clip(int steps)
{
    if (steps < 0)
        return 0;
    return steps > MOST_STEPS ? MOST_STEPS : steps;
}

/* The tiles of the lowest numbers are a divider slower than the others. */
static int divider_of(int tile, int steps)
{
    return FASTEST + steps / RCK_POWER_TILES + (tile < steps % RCK_POWER_TILES);
}

static void apply(struct rck_governor *g, int steps)
{
    for (int tile = 0; tile < RCK_POWER_TILES; tile++) {
        int wanted = divider_of(tile, steps);

        if (wanted != divider_of(tile, g->steps))
            rck_power_set_tile(tile, wanted);
    }
    g->changes += g->steps != steps;
    g->steps = steps;
}

void rck_power_governor_cap_start(struct rck_governor *g)
{
    for (int tile = 0; tile < RCK_POWER_TILES; tile++)
        rck_power_set_tile(tile, RCK_POWER_SLOWEST);
    g->steps = MOST_STEPS;
}

/* Steps with which the busiest chip stays below `target`. */
static int safe_steps(int target)
{
    int steps = 0;

    for (int power = BUSY; power > target && steps < MOST_STEPS;)
        power -= step_mw(steps++);
    return steps;
}

void rck_power_governor_cap_look(struct rck_governor *g, uint64_t energy,
                                 uint64_t time)
{
    int power = (int)((energy - g->energy) * 1000 / (time - g->time) / 1000);
    int target = (int)(g->value * 1000) - BELOW, steps = g->steps;

    if (power > target)
        while (power > target && steps < MOST_STEPS)
            power -= step_mw(steps++);
    else if (power < target - NEAR) {
        int safe = safe_steps(target);

        if (steps > safe)
            steps = safe;
        else if (steps > safe - BEYOND)
            steps--;
    }
    apply(g, clip(steps));
}
