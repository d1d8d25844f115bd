// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_clock.c: the FPGA's time stamp as a clock source.
 *
 * The time stamp counts 125 MHz for the whole chip, whatever the clocks of the
 * tiles are. A read takes longer than one of the core's own counter, so that
 * one is preferred; `clocksource=fpga` chooses this one, for systems that
 * change the clock of a tile.
 */
#include <linux/clocksource.h>
#include <linux/kernel.h>

#include "scc.h"

#define TIME_STAMP_KHZ 125000
/* Below that of the time stamp counter. */
#define RATING 200

static u64 read_stamp(struct clocksource *source)
{
	u32 high, low, again = scc_fpga_read(SCC_FPGA_TIMESTAMP_HIGH);

	do {
		high = again;
		low = scc_fpga_read(SCC_FPGA_TIMESTAMP_LOW);
		again = scc_fpga_read(SCC_FPGA_TIMESTAMP_HIGH);
	} while (again != high);
	return (u64)high << 32 | low;
}

static struct clocksource stamp = {
	.name = "fpga",
	.rating = RATING,
	.read = read_stamp,
	.mask = CLOCKSOURCE_MASK(64),
	.flags = CLOCK_SOURCE_IS_CONTINUOUS,
};

static int __init register_stamp(void)
{
	return clocksource_register_khz(&stamp, TIME_STAMP_KHZ);
}
device_initcall(register_stamp);
