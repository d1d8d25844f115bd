/*
 * rck_governor.h: choosing the operating point while a program runs, from the
 * cores' performance counters.
 *
 * Each UE opens a governor with the same goal and calls rck_governor_tick
 * between small pieces of work (10 to 500 us). A governor samples its core once
 * an interval: the cycles of computing and of waiting. The lowest UE of each
 * voltage domain chooses for its domain; under a power cap UE 0 chooses for the
 * whole chip. The other UEs' calls return at once.
 */
#ifndef RCK_GOVERNOR_H
#define RCK_GOVERNOR_H

#include <stdint.h>

#include "rck_power.h"

#ifdef __cplusplus
extern "C" {
#endif

enum rck_goal {
    /* Least energy, or least product of energy and time (EDP), of the core
     * domains. */
    RCK_LEAST_ENERGY,
    RCK_LEAST_EDP,
    /* Least energy, with the work finished within `value` seconds from the
     * start. */
    RCK_DEADLINE,
    /* At most `value` watts, for the whole chip. */
    RCK_POWER_CAP
};

struct rck_governor {
    enum rck_goal goal;
    double value;
    int domain, counters, in_charge;
    /* The present divider of the core clock; and the divider that waits until
     * the voltage has risen, 0 if none waits. */
    int divider, wanted;
    /* The voltage of the last command in mV; and the number of samples since
     * the last change. */
    int millivolts, calm;
    /* Under a power cap: by how many steps the chip is slower than at its
     * fastest operating point. */
    int steps;
    /* The counters' values at the last sample: cycles, waiting and misses of
     * the core, energy and time of the power meter. */
    uint64_t cycles, waits, misses, energy, time, start;
    /* At the last sample: how much the core computed in a second, and which
     * share of the cycles it waited. `before`: the divider before the last
     * change, 0 if there was none; `tries`: not 0 if that change was a try;
     * `useless`: clocks faster than at this divider have brought no gain, 0 if
     * none is known. */
    double rate, share;
    int before, tries, useless;
    /* For a phase in which the core mostly waits: `known`, the slowest divider
     * that cost no time; `failed`, one that did; 0: not known yet. `settled`:
     * true if a try has failed in this phase, so that no other follows. */
    int known, failed, settled;
    /* The last mix of work for which no other divider was better: share of
     * waiting, accesses per cycle, and the values of `divider` and `useless`
     * then. */
    struct {
        double share, rate;
        int divider, useless;
    } fits;
    /* For a deadline: how many seconds the work so far would have taken at the
     * fastest clock; and true if there has been a tick. */
    double ideal;
    int ticked;
    /* How many samples were taken and how often the operating point was
     * changed, for information. */
    unsigned looks, changes;
};

/* Opens a governor; collective. Errors: VAL_UNDEFINED (a deadline that has
 * passed, a cap below the idle chip's power), MALLOC (no registers or
 * counters). */
int rck_governor_open(struct rck_governor *governor, enum rck_goal goal,
                      double value);
/* Takes a sample and adjusts the operating point. `done`: the completed part
 * of all work, 0 to 1; needed only for a deadline. */
void rck_governor_tick(struct rck_governor *governor, double done);
/* RCCE_barrier, during which this UE's domain runs at its slowest clock: for
 * UEs that wait long for UEs of other domains. The UEs of a domain should
 * arrive together. */
int rck_governor_barrier(struct rck_governor *governor, RCCE_COMM *comm);
/* Closes a governor; collective. Sets all domains to divider 3, as at the
 * start of `rck run`. */
void rck_governor_close(struct rck_governor *governor);

/* A core's activity between two samples, in core cycles. */
struct rck_governor_sample {
    double cycles, waiting, accesses;
    int divider;
};

/* The predicted cost of the sample's work at another divider: seconds, and
 * joules of the domain's 8 cores. */
struct rck_governor_guess {
    double seconds, joules;
};
struct rck_governor_guess
rck_governor_guess(const struct rck_governor_sample *sample, int divider);

#ifdef __cplusplus
}
#endif

#endif
