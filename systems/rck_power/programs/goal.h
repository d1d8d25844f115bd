/* goal.h: common code of the programs: a goal by its name, and what reaching it
 * costs. */
#ifndef GOAL_H
#define GOAL_H

#include "rck_governor.h"

struct goal {
    struct rck_governor governor;
    int governed;
    uint64_t energy, chip, time;
};

/* Starts a goal; collective: a divider (2 to 16), or energy, edp,
 * deadline:SECONDS, cap:WATTS. Sets the operating point or opens the governor,
 * waits until the first voltage is there, and starts to measure. Returns
 * RCCE_SUCCESS, or an error of RCCE after a message on stderr. */
int goal_start(struct goal *goal, const char *word);
void goal_tick(struct goal *goal, double done);
/* RCCE_barrier, or the governor's barrier if a governor is open. */
void goal_barrier(struct goal *goal);
/* Collective: prints on UE 0 the simulated time, the energy of the core domains
 * that have UEs, and the chip's mean power; closes the governor. */
void goal_end(struct goal *goal, const char *word);

#endif
