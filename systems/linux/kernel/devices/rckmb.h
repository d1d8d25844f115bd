/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rckmb.h: the parts of the network device between cores.
 */
#ifndef RCKMB_H
#define RCKMB_H

#include <linux/types.h>

#include "rckmb_ring.h"
#include "scc.h"

/* The rings and locks of all cores (rckmb_peers.c). rckmb_map_peers maps them
 * once, before the others; 0 or -ENOMEM. rckmb_lock tries for about a
 * millisecond; false: the lock is not free. rckmb_in_mpb: rckmb.memory= puts
 * rings into message buffers, not into DRAM. */
int rckmb_map_peers(void);
struct rckmb_ring *rckmb_ring_of(unsigned int core);
bool rckmb_lock(unsigned int core);
void rckmb_unlock(unsigned int core);
bool rckmb_in_mpb(void);

/* Whether packets are in this core's message buffer now (rckmb.c). */
bool rckmb_uses_mpb(void);

/* Packets of mb0; NULL before there is one (rckmb.c). */
struct net_device_stats;
extern struct net_device_stats *rckmb_counts;

#endif
