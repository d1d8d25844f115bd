// SPDX-License-Identifier: GPL-2.0-only
/*
 * rckmem.c: /dev/rckncm, /dev/rckdcm, /dev/rckmpb.
 *
 * A program maps core-physical addresses with the memory type that the device
 * stands for: uncached, cached, or message memory (MPBT). A write of any
 * bytes, none included, to rckdcm writes all of this core's caches back.
 *
 * While rckmb keeps its packets in the message buffers, no program may map
 * one: `ip link set mb0 down` gives them free.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "rckmb.h"
#include "scc.h"

#define TYPE_BITS (_PAGE_PCD | _PAGE_PWT | SCC_PAGE_PMB)

static int map_as(struct vm_area_struct *area, unsigned long type)
{
	unsigned long kept = pgprot_val(area->vm_page_prot) & ~TYPE_BITS;

	area->vm_page_prot = __pgprot(kept | type);
	return remap_pfn_range(area, area->vm_start, area->vm_pgoff,
			       area->vm_end - area->vm_start,
			       area->vm_page_prot);
}

static int map_uncached(struct file *file, struct vm_area_struct *area)
{
	return map_as(area, _PAGE_PCD | _PAGE_PWT);
}

static int map_cached(struct file *file, struct vm_area_struct *area)
{
	return map_as(area, 0);
}

static int map_messages(struct file *file, struct vm_area_struct *area)
{
	u64 from = (u64)area->vm_pgoff << PAGE_SHIFT;

	if (scc_touches_mpb(from, area->vm_end - area->vm_start) &&
	    rckmb_uses_mpb()) {
		pr_notice_once("rckmpb: the network mb0 uses the buffers\n");
		return -EBUSY;
	}
	return map_as(area, _PAGE_PWT | SCC_PAGE_PMB);
}

static ssize_t write_flushes(struct file *file, const char __user *data,
			     size_t length, loff_t *at)
{
	scc_flush_caches();
	return length;
}

static const struct file_operations uncached = {
	.owner = THIS_MODULE,
	.mmap = map_uncached,
	.llseek = noop_llseek,
};

static const struct file_operations cached = {
	.owner = THIS_MODULE,
	.mmap = map_cached,
	.write = write_flushes,
	.llseek = noop_llseek,
};

static const struct file_operations messages = {
	.owner = THIS_MODULE,
	.mmap = map_messages,
	.llseek = noop_llseek,
};

static struct miscdevice devices[] = {
	{MISC_DYNAMIC_MINOR, "rckncm", &uncached, .mode = 0666},
	{MISC_DYNAMIC_MINOR, "rckdcm", &cached, .mode = 0666},
	{MISC_DYNAMIC_MINOR, "rckmpb", &messages, .mode = 0666},
};

static int __init rckmem_start(void)
{
	unsigned int n;
	int result;

	for (n = 0; n < ARRAY_SIZE(devices); n++) {
		result = misc_register(&devices[n]);
		if (result)
			return result;
	}
	return 0;
}
device_initcall(rckmem_start);
