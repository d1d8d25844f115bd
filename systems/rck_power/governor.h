/* governor.h: the declarations that the governor's files share. */
#ifndef GOVERNOR_H
#define GOVERNOR_H

#include "rck_governor.h"

/* The divider of the core clock that is best for work like that of the sample.
 * The present divider, unless another one is better by a minimum amount.
 * `done`: the completed part of the work, 0 to 1. */
int governor_choose(struct rck_governor *g,
                    const struct rck_governor_sample *sample, double done);
/* A divider to try, because the model of one core cannot predict what happens
 * there; 0 if there is none to try. */
int governor_learn(struct rck_governor *g,
                   const struct rck_governor_sample *sample);
/* Under a power cap: adjusts the chip's operating point to the power since the
 * last sample (`energy`, `time`: the meter's present values). */
void governor_cap_look(struct rck_governor *g, uint64_t energy, uint64_t time);
/* The chip's power at its slowest clocks, in W. A lower cap cannot be kept. */
double governor_least_cap(void);
/* Sets the chip's slowest clocks, so that its power is below the cap until it
 * has been measured. */
void governor_cap_start(struct rck_governor *g);

#endif
