/* What the governor's files share. */
#ifndef GOVERNOR_H
#define GOVERNOR_H

#include "rck_governor.h"

/* The best divider for the work of the sample; the present one if none is
 * better by enough. */
int governor_choose(struct rck_governor *g,
                    const struct rck_governor_sample *sample, double done);
/* A divider to try because the model knows one core only; 0: none. */
int governor_learn(struct rck_governor *g,
                   const struct rck_governor_sample *sample);
/* Adapts the operating point to the power since the last sample. */
void governor_cap_look(struct rck_governor *g, uint64_t energy, uint64_t time);
/* The chip's power at its slowest clocks, in W: a lower cap cannot be kept. */
double governor_least_cap(void);
/* Sets the slowest clocks, so that the power is not above the cap while it is
 * unknown. */
void governor_cap_start(struct rck_governor *g);

#endif
