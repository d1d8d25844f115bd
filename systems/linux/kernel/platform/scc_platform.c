// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_platform.c: a core of the SCC as a platform of Linux.
 *
 * There is nothing of a PC: no BIOS, PIT, PIC, RTC, keyboard, PCI or I/O APIC.
 * The local APIC's timer counts the core's clock; the clock is the FPGA's fast
 * clock over the tile's divider. Page table entries have the PMB bit where
 * large pages have their size, so Linux must not use large pages.
 */
#include <linux/clockchips.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/reboot.h>
#include <linux/time64.h>
#include <linux/utsname.h>

#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/fixmap.h>
#include <asm/i8259.h>
#include <asm/processor.h>
#include <asm/reboot.h>
#include <asm/setup.h>
#include <asm/tlbflush.h>
#include <asm/tsc.h>
#include <asm/x86_init.h>

#include "scc.h"

/* MPE: page table entries have a PMB bit. */
#define CR4_MPE 0x800

/* Every boot begins on this day, as there is no clock that knows another. */
#define EPOCH mktime64(2010, 1, 1, 0, 0, 0)

unsigned int scc_core;
unsigned int scc_tile_khz;

static unsigned int __init read_once(phys_addr_t address)
{
	void __iomem *page = early_ioremap(address & PAGE_MASK, PAGE_SIZE);
	unsigned int value = readl(page + (address & ~PAGE_MASK));

	early_iounmap(page, PAGE_SIZE);
	return value;
}

static void __init find_core(void)
{
	u32 id = read_once(SCC_CRB_OWN + SCC_CRB_TILEID);
	u32 x = (id & SCC_CRB_TILEID_X) >> SCC_CRB_TILEID_X_SHIFT;
	u32 y = (id & SCC_CRB_TILEID_Y) >> SCC_CRB_TILEID_Y_SHIFT;

	scc_core = 2 * (6 * y + x) + (id & SCC_CRB_TILEID_REQUESTER);
}

/* TSC and local APIC run at the tile's clock. */
static unsigned long __init calibrate(void)
{
	u32 fast = read_once(SCC_FPGA_BASE + SCC_FPGA_FAST_CLOCK);
	u32 divider = read_once(SCC_CRB_OWN + SCC_CRB_GCBCFG);

	divider = (divider & SCC_CRB_GCBCFG_DIVIDER) >>
		  SCC_CRB_GCBCFG_DIVIDER_SHIFT;
	fast &= SCC_FPGA_FAST_CLOCK_MHZ;
	scc_tile_khz = fast * 1000 / (divider + 1);
	lapic_timer_period = fast * 1000000 / (divider + 1) / HZ;
	return scc_tile_khz;
}

static void __init arch_setup(void)
{
	find_core();
	/* Large pages and PMB exclude each other. */
	setup_clear_cpu_cap(X86_FEATURE_PSE);
	setup_force_cpu_cap(X86_FEATURE_TSC_KNOWN_FREQ);
	setup_force_cpu_cap(X86_FEATURE_TSC_RELIABLE);
	/* The timer goes on while the core is halted. */
	setup_force_cpu_cap(X86_FEATURE_ARAT);
}

static void get_wallclock(struct timespec64 *now)
{
	now->tv_sec = EPOCH;
	now->tv_nsec = 0;
}

static int set_wallclock(const struct timespec64 *now)
{
	return -ENODEV;
}

static unsigned char no_nmi_reason(void)
{
	return 0;
}

void __init x86_scc_early_setup(void)
{
	x86_init.resources.probe_roms = x86_init_noop;
	x86_init.resources.reserve_resources = x86_init_noop;
	x86_init.resources.dmi_setup = x86_init_noop;
	x86_init.mpparse.find_smp_config = x86_init_noop;
	x86_init.mpparse.get_smp_config = x86_init_uint_noop;
	x86_init.oem.arch_setup = arch_setup;
	x86_init.timers.timer_init = x86_init_noop;
	x86_init.timers.wallclock_init = x86_init_noop;
	x86_platform.calibrate_cpu = calibrate;
	x86_platform.calibrate_tsc = calibrate;
	x86_platform.get_wallclock = get_wallclock;
	x86_platform.set_wallclock = set_wallclock;
	x86_platform.get_nmi_reason = no_nmi_reason;
	x86_platform.legacy.rtc = 0;
	x86_platform.legacy.warm_reset = 0;
	x86_platform.legacy.reserve_bios_regions = 0;
	x86_platform.legacy.devices.pnpbios = 0;
	x86_platform.legacy.i8042 = X86_LEGACY_I8042_PLATFORM_ABSENT;
	scc_interrupts_setup();
}

/* The name of a core's Linux: rck00 to rck47. */
static int __init name_core(void)
{
	snprintf(init_utsname()->nodename, sizeof(init_utsname()->nodename),
		 "rck%02u", scc_core);
	return 0;
}
core_initcall(name_core);

/*
 * Every boot behaves alike, and nobody waits for randomness: the core's number
 * is what random numbers begin with, and no secret.
 */
static int __init seed_random(void)
{
	u32 seed[8] = {scc_core};

	add_bootloader_randomness(seed, sizeof(seed));
	return 0;
}
core_initcall(seed_random);

/* Before the drivers, which map message memory. */
static int __init enable_messages(void)
{
	cr4_set_bits(CR4_MPE);
	return 0;
}
core_initcall(enable_messages);
