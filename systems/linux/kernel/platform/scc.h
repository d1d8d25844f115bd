/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scc.h: what the platform gives its drivers.
 */
#ifndef SCC_H
#define SCC_H

#include <linux/init.h>
#include <linux/io.h>
#include <linux/types.h>

#include "cache.h"
#include "host_channel.h"
#include "memory_map.h"
#include "registers.h"

/*
 * The pins of the local APIC as interrupts of Linux, with the numbers that a
 * PC gives its two serial ports: COM1 drives LINT0. Requests of other cores
 * come by LINT1 (scc_interrupts.c).
 */
#define SCC_IRQ_LINT1 3
#define SCC_IRQ_LINT0 4

#define SCC_CORES (2 * SCC_CRB_BASE_COUNT)
/* The addresses of one entry of the LUT. */
#define SCC_SEGMENT SCC_CRB_BASE_STRIDE

/* The PMB bit of a page table entry, where larger pages have their size. */
#define SCC_PAGE_PMB 0x080

extern unsigned int scc_core;	  /* this core's number, 0 to 47 */
extern unsigned int scc_tile_khz; /* its clock at the start */

/* Registers of this core's tile and of the FPGA, by byte offset, uncached. */
u32 scc_tile_read(u32 offset);
void scc_tile_write(u32 offset, u32 value);
u32 scc_fpga_read(u32 offset);
void scc_fpga_write(u32 offset, u32 value);

/* Maps physical memory as message memory (MPBT); NULL when no addresses are
 * left. */
void __iomem *scc_map_messages(phys_addr_t address, size_t size);

/* Whether bytes from there on are, at least in part, in a message buffer. */
static inline bool scc_touches_mpb(u64 address, u64 size)
{
	return address < SCC_MPB_OWN + SCC_SEGMENT &&
	       address + size > SCC_MPB_BASE;
}

/* Writes all that this core's L1 and L2 hold to memory and empties both, with
 * interrupts off. */
void scc_flush_caches(void);

void scc_interrupts_setup(void);
void scc_interrupt_core(unsigned int core);
void scc_handle_interrupts_of_cores(void (*handler)(u64 senders));
void scc_handle_interrupts_of_host(void (*handler)(void));

static inline phys_addr_t scc_mpb_of(unsigned int core)
{
	return SCC_MPB_BASE + core / 2 * SCC_SEGMENT +
	       core % 2 * SCC_MPB_SIZE_PER_CORE;
}

#endif
