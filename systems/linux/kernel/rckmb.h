/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rckmb.h: the parts of the network device between cores.
 */
#ifndef RCKMB_H
#define RCKMB_H

#include <linux/types.h>

#include "rckmb_ring.h"
#include "scc.h"

/* The rings and locks of all cores (rckmb_peers.c). */
int rckmb_map_peers(void);
struct rckmb_ring *rckmb_ring_of(unsigned int core);
bool rckmb_lock(unsigned int core);
void rckmb_unlock(unsigned int core);
bool rckmb_in_mpb(void);

/* Whether packets are in this core's message buffer now (rckmb.c). */
bool rckmb_uses_mpb(void);

#endif
