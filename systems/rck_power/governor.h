/* What the governor's files share. */
#ifndef GOVERNOR_H
#define GOVERNOR_H

#include "rck_governor.h"

/* The best divider for what the sample did; the own one if none is better by
 * enough. */
int governor_choose(struct rck_governor *g,
                    const struct rck_governor_sample *sample, double done);
/* The divider to try, because the model knows of one core only; 0: none. */
int governor_learn(struct rck_governor *g,
                   const struct rck_governor_sample *sample);
/* Power since the last look decides. */
void governor_cap_look(struct rck_governor *g, uint64_t energy, uint64_t time);
/* What the chip draws at its slowest clocks, in W: no cap below can be kept. */
double governor_least_cap(void);
/* The slowest clocks: nothing is above the cap while nothing is known. */
void governor_cap_start(struct rck_governor *g);

#endif
