/*
 * rck_governor.h: the operating point chosen while a program runs, from the
 * cores' performance counters.
 *
 * Each UE opens a governor with the same goal and calls rck_governor_tick
 * between small pieces of work (10 to 500 us). A governor looks at its core
 * once an interval: how many cycles were computing, how many waiting. The
 * lowest UE of each voltage domain chooses for its domain; under a cap of
 * power UE 0 does for the whole chip. The other UEs' calls return at once.
 */
#ifndef RCK_GOVERNOR_H
#define RCK_GOVERNOR_H

#include <stdint.h>

#include "rck_power.h"

#ifdef __cplusplus
extern "C" {
#endif

enum rck_goal {
    /* Least energy, and least energy times time, of the core domains. */
    RCK_LEAST_ENERGY,
    RCK_LEAST_EDP,
    /* Least energy with which the work is done after `value` seconds. */
    RCK_DEADLINE,
    /* At most `value` watts for the chip. */
    RCK_POWER_CAP
};

struct rck_governor {
    enum rck_goal goal;
    double value;
    int domain, counters, in_charge;
    /* The divider now, and the one that a higher voltage is on its way for:
     * 0 if none is. */
    int divider, wanted;
    /* What the regulator was told, and looks without a change. */
    int millivolts, calm;
    /* Cap: steps by which the chip is slower than its fastest point. */
    int steps;
    /* The last look, and the power meter's. */
    uint64_t cycles, waits, misses, energy, time, start;
    /* Then: computing for time, in units of its own, and the part of
     * waiting; the divider before the last change, 0 if there was none;
     * whether that was a try; and the divider up to which faster ones were
     * found useless. */
    double rate, share;
    int before, tries, useless;
    /* In phases that wait: the slowest divider that cost no time, and one that
     * did; 0: none yet. Settled: a try has failed in this phase. */
    int known, failed, settled;
    /* The last mix for which no other divider was better: parts of waiting
     * and accesses a cycle, and the dividers of then. */
    struct {
        double share, rate;
        int divider, useless;
    } fits;
    /* Deadline: seconds that the work so far would take at the fastest
     * clock; whether there has been a tick. */
    double ideal;
    int ticked;
    /* Looks and changes, for whoever wants to know. */
    unsigned looks, changes;
};

/* Collective. Errors: VAL_UNDEFINED (a deadline that is over, a cap below
 * what the idle chip draws), MALLOC (no registers or counters). */
int rck_governor_open(struct rck_governor *governor, enum rck_goal goal,
                      double value);
/* `done`, of all the work, is needed for a deadline only: 0 to 1. */
void rck_governor_tick(struct rck_governor *governor, double done);
/* RCCE_barrier with the own domain at its slowest clock meanwhile: for UEs
 * that wait long for those of other domains. The UEs of a domain should come
 * together. */
int rck_governor_barrier(struct rck_governor *governor, RCCE_COMM *comm);
/* Collective; leaves all domains at the divider of `rck run`'s start, 3. */
void rck_governor_close(struct rck_governor *governor);

/* What a core did between two looks, in its cycles. */
struct rck_governor_sample {
    double cycles, waiting, accesses;
    int divider;
};

/* What the same would take at another divider: time, and the energy of a
 * domain's 8 cores. */
struct rck_governor_guess {
    double seconds, joules;
};
struct rck_governor_guess
rck_governor_guess(const struct rck_governor_sample *sample, int divider);

#ifdef __cplusplus
}
#endif

#endif
