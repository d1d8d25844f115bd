/*
 * governor_choose.c: which divider is best for what a core did.
 *
 * The model's guesses of all dividers are compared by the goal; what it does
 * not know of, other cores at the same memory, is learnt by trying.
 */
#include "governor.h"

/* Worse than any energy; and of a deadline's time so much is given out. */
#define TOO_SLOW 1e6
#define MARGIN 0.97
/* A change must gain so much: guesses are not better. */
#define WORTH 0.03
/* Mixes that differ by no more are one: in part of waiting; and in accesses a
 * cycle, relative to them, and so few do not matter at all. */
#define SAME_SHARE 0.02
#define SAME_RATE 0.1
#define FEW 1e-4
/* So much of waiting is a phase that waits. */
#define WAITS 0.5

/* How long what the sample did may take: what is left, were it all at the
 * fastest clock, against the time that is left. */
static double seconds_left(struct rck_governor *g, double done,
                           const struct rck_governor_sample *sample)
{
    double elapsed = (double)(rck_power_time() - g->start) * 1e-12;
    double fastest = rck_governor_guess(sample, RCK_POWER_FASTEST).seconds;

    g->ideal += fastest;
    if (done <= 0 || done >= 1)
        return fastest;
    double left = g->ideal * (1 - done) / done;
    return fastest * MARGIN * (g->value - elapsed) / left;
}

static double score(const struct rck_governor *g,
                    const struct rck_governor_sample *sample, int divider,
                    double limit)
{
    struct rck_governor_guess guess = rck_governor_guess(sample, divider);

    if (g->goal == RCK_LEAST_EDP)
        return guess.joules * guess.seconds;
    /* Too slow is worse than any energy; among those the fastest. */
    if (g->goal == RCK_DEADLINE && guess.seconds > limit)
        return TOO_SLOW + guess.seconds;
    return guess.joules;
}

/* About two thirds of the clock; 0 if it is the slowest. */
static int slower_one(int divider)
{
    int slower = (3 * divider + 1) / 2;

    if (divider == RCK_POWER_SLOWEST)
        return 0;
    return slower < RCK_POWER_SLOWEST ? slower : RCK_POWER_SLOWEST;
}

/* Many cores may wait for one memory, and the model knows of one core only:
 * then a slower clock costs no time. So a new phase that waits is tried at
 * slower clocks until one costs time, and a step to a faster one is looked at
 * again; what cost time is not tried twice. The divider to try; 0: none. */
int rck_power_governor_learn(struct rck_governor *g,
                             const struct rck_governor_sample *sample)
{
    double share = sample->waiting / sample->cycles;
    double rate = (1 - share) / sample->divider;
    int slower = g->before && g->before < g->divider;
    int faster = g->before > g->divider, try = 0;

    if (share < WAITS) {
        g->useless = g->settled = 0;
    } else if (g->share < WAITS) {
        /* Half of it may have been the phase before: nothing is learnt. */
        if (g->known > g->divider)
            g->useless = g->known;
    } else if (slower && g->tries && rate > 0.95 * g->rate) {
        g->useless = g->known = g->divider;
        try = slower_one(g->divider);
    } else if (slower && g->tries) {
        g->failed = g->divider;
        g->settled = 1;
    } else if (faster && rate < 1.05 * g->rate) {
        g->useless = g->before;
    } else if (!g->before && !g->useless && !g->settled) {
        try = slower_one(g->divider);
    }
    if (g->failed && try >= g->failed)
        try = 0;
    g->before = 0;
    g->share = share;
    g->rate = rate;
    g->tries = try;
    return try;
}

static int is_near(double value, double other, double distance)
{
    return value < other + distance && value > other - distance;
}

/* Whether the divider is known to fit such a mix: guessing all dividers costs
 * more than all else of a look. A deadline's answer depends on the time. */
static int still_fits(const struct rck_governor *g,
                      const struct rck_governor_sample *sample)
{
    double share = sample->waiting / sample->cycles;
    double rate = sample->accesses / sample->cycles;

    return g->goal != RCK_DEADLINE && g->fits.divider == g->divider &&
           g->fits.useless == g->useless &&
           is_near(share, g->fits.share, SAME_SHARE) &&
           is_near(rate, g->fits.rate, SAME_RATE * g->fits.rate + FEW);
}

int rck_power_governor_choose(struct rck_governor *g,
                              const struct rck_governor_sample *sample,
                              double done)
{
    if (still_fits(g, sample))
        return g->divider;
    double limit = g->goal == RCK_DEADLINE ? seconds_left(g, done, sample) : 0;
    double now = score(g, sample, g->divider, limit), least = now;
    int best = g->divider;

    for (int d = RCK_POWER_FASTEST; d <= RCK_POWER_SLOWEST; d++) {
        double value = score(g, sample, d, limit);

        if (value < least && !(d < g->useless)) {
            least = value;
            best = d;
        }
    }
    if (g->useless > g->divider)
        best = g->useless;
    else if (best == g->divider ||
             (now < TOO_SLOW && least > now * (1 - WORTH))) {
        g->fits.share = sample->waiting / sample->cycles;
        g->fits.rate = sample->accesses / sample->cycles;
        g->fits.divider = g->divider;
        g->fits.useless = g->useless;
        return g->divider;
    }
    return best;
}
