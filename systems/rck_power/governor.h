/* governor.h: the declarations that the governor's files share. */
#ifndef GOVERNOR_H
#define GOVERNOR_H

#include "rck_governor.h"

/* The divider of the core clock that is best for work like that of the sample.
 * The present divider, unless another one is better by 3 %, or is needed for
 * the deadline. `done`: the completed part of the work, 0 to 1; used only for a
 * deadline. */
int rck_power_governor_choose(struct rck_governor *g,
                              const struct rck_governor_sample *sample,
                              double done);
/* A slower divider to try, because the model of one core cannot predict whether
 * it costs time in a phase that mostly waits; 0 if there is none to try. Also
 * learns from the sample whether the last try cost time. */
int rck_power_governor_learn(struct rck_governor *g,
                             const struct rck_governor_sample *sample);
/* Under a power cap: adjusts the tiles' clocks to the power since the last
 * sample (`energy`, `time`: the meter's present values, in fJ and ps). */
void rck_power_governor_cap_look(struct rck_governor *g, uint64_t energy,
                                 uint64_t time);
/* The chip's power at its slowest clocks, in W. A lower cap cannot be kept. */
double rck_power_governor_least_cap(void);
/* Sets all tiles to the slowest clock, so that the chip's power is below the
 * cap until it has been measured. */
void rck_power_governor_cap_start(struct rck_governor *g);

#endif
