/* What the governor's files share. */
#ifndef GOVERNOR_H
#define GOVERNOR_H

#include "rck_governor.h"

/* Power since the last look decides. */
void governor_cap_look(struct rck_governor *g, uint64_t energy, uint64_t time);
/* What the chip draws at its slowest clocks, in W: no cap below can be kept. */
double governor_least_cap(void);
/* The slowest clocks: nothing is above the cap while nothing is known. */
void governor_cap_start(struct rck_governor *g);

#endif
