/*
 * rck_governor.h: choosing the operating point while a program runs, from the
 * cores' performance counters.
 *
 * Each UE opens a governor with the same goal and calls rck_governor_tick
 * between small pieces of work (10 to 500 us). A governor samples its core once
 * in 750 us: the cycles of computing and of waiting; under a power cap the
 * power meter once in 100 us. The lowest UE of each voltage domain chooses for
 * its domain by its own core's samples; under a power cap UE 0 chooses for the
 * whole chip. The other UEs' ticks return at once. Times are simulated.
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
     * first tick. */
    RCK_DEADLINE,
    /* At most `value` watts, for the whole chip. */
    RCK_POWER_CAP
};

struct rck_governor {
    enum rck_goal goal;
    double value; /* seconds, or watts; otherwise unused */
    /* This core's domain; the counters' file; true: this UE chooses. */
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
     * the core, energy (fJ) and time (ps) of the power meter. `start`: the time
     * of the first tick, ps. */
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

/* Opens a governor; collective. Sets each domain to divider 5 (under a power
 * cap all tiles to 16). Errors: VAL_UNDEFINED (a deadline or cap not above 0, a
 * cap below 28 W, the idle chip's power), MALLOC (no registers or counters). */
int rck_governor_open(struct rck_governor *governor, enum rck_goal goal,
                      double value);
/* If the interval is over, takes a sample and adjusts the operating point; does
 * not wait for a voltage: a faster clock is set at a later tick. `done`: the
 * completed part of all work, 0 to 1; needed only for a deadline. */
void rck_governor_tick(struct rck_governor *governor, double done);
/* RCCE_barrier, during which this UE's domain runs at its slowest clock (if
 * this UE chooses for it; not under a power cap): for UEs that wait long for
 * UEs of other domains. The UEs of a domain should arrive together. Returns
 * RCCE_barrier's result. */
int rck_governor_barrier(struct rck_governor *governor, RCCE_COMM *comm);
/* Closes a governor; collective. Sets all domains that have UEs to divider 3,
 * as at the start of `rck run`. */
void rck_governor_close(struct rck_governor *governor);

/* A core's activity between two samples: core cycles, those of them in which it
 * waited for reads, and reads that missed L1. */
struct rck_governor_sample {
    double cycles, waiting, accesses;
    int divider; /* of the core clock meanwhile */
};

/* The predicted cost of the sample's work at another divider (2 to 16):
 * seconds, and joules of the domain's 8 cores if all did such work. */
struct rck_governor_guess {
    double seconds, joules;
};
struct rck_governor_guess
rck_governor_guess(const struct rck_governor_sample *sample, int divider);

#ifdef __cplusplus
}
#endif

#endif
