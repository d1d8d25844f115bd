// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_registers.c: the registers of the tile and of the FPGA, and mappings of
 * message memory.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "scc.h"

#define FPGA_WINDOW 0x10000
#define TILE_WINDOW 0x2000

static void __iomem *tile, *fpga;

u32 scc_tile_read(u32 offset)
{
	return readl(tile + offset);
}

void scc_tile_write(u32 offset, u32 value)
{
	writel(value, tile + offset);
}

u32 scc_fpga_read(u32 offset)
{
	return readl(fpga + offset);
}

void scc_fpga_write(u32 offset, u32 value)
{
	writel(value, fpga + offset);
}

/*
 * MPBT with PWT: L1 never holds a dirty line of it. No interface of Linux
 * knows this type, so the page tables are filled here.
 */
void __iomem *scc_map_messages(phys_addr_t address, size_t size)
{
	struct vm_struct *area = get_vm_area(size, VM_IOREMAP);
	pgprot_t type =
		__pgprot(pgprot_val(PAGE_KERNEL) | _PAGE_PWT | SCC_PAGE_PMB);
	unsigned long at;

	if (!area)
		return NULL;
	at = (unsigned long)area->addr;
	if (ioremap_page_range(at, at + size, address, type)) {
		free_vm_area(area);
		return NULL;
	}
	return (void __iomem *)area->addr;
}

static int __init map_registers(void)
{
	tile = ioremap(SCC_CRB_OWN, TILE_WINDOW);
	fpga = ioremap(SCC_FPGA_BASE, FPGA_WINDOW);
	if (!tile || !fpga)
		panic("scc: no addresses for the registers");
	return 0;
}
core_initcall(map_registers);
