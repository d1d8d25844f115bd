// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_host.c: calls of the host over this core's channel.
 *
 * The host reads a request at the memory controller and writes the reply
 * there, past this core's caches, so both are in message memory. A call takes
 * a few microseconds, and the core waits for it.
 */
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/spinlock.h>

#include "scc_host.h"

static DEFINE_SPINLOCK(one_call);
static void __iomem *channel;

int scc_host_map(struct scc_host_area *area, size_t size)
{
	size_t whole = 2 * size + PAGE_SIZE;
	void *pages;

	if (area->request)
		return 0;
	if (!channel)
		channel = ioremap(SCC_HOST_CHANNEL_OF(scc_core),
				  SCC_HOST_CHANNEL_STRIDE);
	pages = alloc_pages_exact(whole, GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	if (!channel) {
		free_pages_exact(pages, whole);
		return -ENOMEM;
	}
	/* L1 and L2 hold no line of these pages from here on. */
	area->request_at = virt_to_phys(pages);
	area->reply_at = area->request_at + size;
	area->size = size;
	scc_flush_caches();
	area->request = scc_map_messages(area->request_at, whole);
	if (!area->request) {
		free_pages_exact(pages, whole);
		return -ENOMEM;
	}
	area->reply = area->request + size;
	return 0;
}

int scc_host_call(struct scc_host_area *area, u32 service, u32 length,
		  u32 *reply_length)
{
	u32 status;

	/* A store to another line empties the write-combine buffer. */
	writel(0, area->reply + area->size);
	spin_lock_bh(&one_call);
	writel(area->request_at, channel + SCC_HOST_REQUEST_ADDRESS);
	writel(length, channel + SCC_HOST_REQUEST_LENGTH);
	writel(area->reply_at, channel + SCC_HOST_REPLY_ADDRESS);
	writel(area->size, channel + SCC_HOST_REPLY_CAPACITY);
	writel(service, channel + SCC_HOST_DOORBELL);
	do {
		status = readl(channel + SCC_HOST_DOORBELL);
	} while (status == SCC_HOST_BUSY);
	*reply_length = readl(channel + SCC_HOST_REPLY_LENGTH);
	spin_unlock_bh(&one_call);
	scc_cl1invmb();
	return status == SCC_HOST_DONE ? 0 : -EIO;
}
