/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scc.h: what the platform gives its drivers.
 */
#ifndef SCC_H
#define SCC_H

#include <linux/init.h>
#include <linux/io.h>
#include <linux/types.h>

#include "registers.h"

/*
 * The pins of the local APIC as interrupts of Linux, with the numbers that a
 * PC gives its two serial ports: COM1 drives LINT0. Requests of other cores
 * come by LINT1 (scc_interrupts.c).
 */
#define SCC_IRQ_LINT1 3
#define SCC_IRQ_LINT0 4

#define SCC_LINE_SIZE 32
#define SCC_MPB_SIZE 8192
#define SCC_MPB_BASE 0xc0000000
#define SCC_MPB_STRIDE 0x01000000
#define SCC_MPB_END 0xd9000000
#define SCC_SHARED_BASE 0x80000000
#define SCC_SHARED_SIZE 0x04000000
#define SCC_CORES 48

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

/* Writes all that this core's L1 and L2 hold to memory and empties both, with
 * interrupts off. */
void scc_flush_caches(void);

void scc_interrupts_setup(void);
void scc_interrupt_core(unsigned int core);
void scc_handle_interrupts_of_cores(void (*handler)(u64 senders));

static inline void scc_cl1invmb(void)
{
	/* CL1INVMB: drops the lines of message memory that L1 holds. */
	asm volatile(".byte 0x0f, 0x0a" : : : "memory");
}

static inline phys_addr_t scc_mpb_of(unsigned int core)
{
	return SCC_MPB_BASE + core / 2 * SCC_MPB_STRIDE +
	       core % 2 * SCC_MPB_SIZE;
}

#endif
