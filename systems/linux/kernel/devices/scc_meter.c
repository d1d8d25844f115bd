// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_meter.c: where this Linux counts pages and packets, for a management PC
 * that reads the memory of a running core (`rck linux top`). The PC finds
 * scc_meter by System.map; the mark tells that the map is this kernel's.
 */
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/vmstat.h>

#include "rckmb.h"

#define MARK 0x4d4b4352 /* RCKM */

struct scc_meter {
	u32 mark;
	const atomic_long_t *pages;
	const atomic_long_t *free_pages;
	struct net_device_stats **packets;
};

const struct scc_meter scc_meter = {
	.mark = MARK,
	.pages = &_totalram_pages,
	.free_pages = &vm_zone_stat[NR_FREE_PAGES],
	.packets = &rckmb_counts,
};
