// SPDX-License-Identifier: GPL-2.0-only
/*
 * rckmb_peers.c: the rings of all cores, and their locks.
 *
 * Rings are in the cores' message buffers, or in off-die shared memory from
 * 62 MB on, 12 KB each (rckmb.memory=dram). A ring's lock is the test-and-set
 * register of its core. Programs use these registers too, and a core may die
 * with one, so nobody waits for one without end.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "rckmb.h"

#define DRAM_RINGS (SCC_SHARED_BASE + 62 * 1024 * 1024)
#define DRAM_RING_SIZE (12 * 1024)
/* In all about a millisecond, longer than anybody copies a packet. */
#define LOCK_TRIES 2000
#define LOCK_PAUSE_NS 500

/* The option belongs to the device, not to this file. */
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "rckmb."
static char *memory = "mpb";
module_param(memory, charp, 0444);
MODULE_PARM_DESC(memory, "where packets go: mpb or dram");

static struct rckmb_ring rings[SCC_CORES];
static void __iomem *tiles[SCC_CORES / 2];

bool rckmb_in_mpb(void)
{
	return strcmp(memory, "dram") != 0;
}

struct rckmb_ring *rckmb_ring_of(unsigned int core)
{
	return &rings[core];
}

static int map_ring(unsigned int core)
{
	bool in_mpb = rckmb_in_mpb();
	size_t size = in_mpb ? SCC_MPB_SIZE_PER_CORE : DRAM_RING_SIZE;
	phys_addr_t at =
		in_mpb ? scc_mpb_of(core) : DRAM_RINGS + core * DRAM_RING_SIZE;
	void __iomem *control = ioremap(at, PAGE_SIZE);
	void __iomem *messages = scc_map_messages(at, size);

	if (!control || !messages)
		return -ENOMEM;
	rckmb_ring_place(&rings[core], (void __force *)control,
			 (void __force *)messages, size);
	return 0;
}

int rckmb_map_peers(void)
{
	unsigned int n;

	for (n = 0; n < SCC_CORES / 2; n++) {
		tiles[n] = ioremap(SCC_CRB_BASE + n * SCC_CRB_BASE_STRIDE,
				   PAGE_SIZE);
		if (!tiles[n])
			return -ENOMEM;
	}
	for (n = 0; n < SCC_CORES; n++)
		if (map_ring(n))
			return -ENOMEM;
	return 0;
}

bool rckmb_lock(unsigned int core)
{
	void __iomem *lock = tiles[core / 2] + SCC_CRB_LOCK(core % 2);
	unsigned int n;

	for (n = 0; n < LOCK_TRIES; n++) {
		if (readl(lock) & SCC_CRB_LOCK_FREE)
			return true;
		ndelay(LOCK_PAUSE_NS);
	}
	return false;
}

void rckmb_unlock(unsigned int core)
{
	writel(0, tiles[core / 2] + SCC_CRB_LOCK(core % 2));
}
