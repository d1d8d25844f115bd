/* governor.h: the declarations that the governor's files share. */
#ifndef GOVERNOR_H
#define GOVERNOR_H

#include "rck_governor.h"

/* The best divider for work like that of the sample; the present divider if no
 * other is better by a minimum amount. */
int governor_choose(struct rck_governor *g,
                    const struct rck_governor_sample *sample, double done);
/* A divider to try because the model knows only the behaviour of one core; 0:
 * none. */
int governor_learn(struct rck_governor *g,
                   const struct rck_governor_sample *sample);
/* Adjusts the operating point to the power since the last sample. */
void governor_cap_look(struct rck_governor *g, uint64_t energy, uint64_t time);
/* The chip's power at its slowest clocks, in W. A lower cap cannot be kept. */
double governor_least_cap(void);
/* Sets the slowest clocks, so that the power is below the cap while it is
 * still unknown. */
void governor_cap_start(struct rck_governor *g);

#endif
