// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_cache.c: everything that this core's caches hold, written to memory.
 *
 * WBINVD reaches L1 only. What L2 holds is displaced by as many other lines as
 * it has; two windows alternate, since a read that hits displaces nothing.
 * Both are read: a way that was never filled takes a line of the first.
 */
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>

#include <asm/special_insns.h>

#include "scc.h"

static unsigned long windows[2];

static void read_window(unsigned long at)
{
	unsigned long end = at + SCC_L2_SIZE;

	for (; at < end; at += SCC_LINE_SIZE)
		(void)READ_ONCE(*(const u32 *)at);
}

void scc_flush_caches(void)
{
	unsigned long flags;

	local_irq_save(flags);
	wbinvd();
	read_window(windows[0]);
	read_window(windows[1]);
	local_irq_restore(flags);
}

static int __init set_windows_aside(void)
{
	unsigned int n;

	for (n = 0; n < ARRAY_SIZE(windows); n++) {
		windows[n] =
			__get_free_pages(GFP_KERNEL, get_order(SCC_L2_SIZE));
		if (!windows[n])
			panic("scc: no memory for the windows that displace "
			      "L2");
	}
	return 0;
}
core_initcall(set_windows_aside);
