/* Time: the time stamp counter, scaled by the tile's clock.
 *
 * The date is fixed: every run begins on 2010-01-01 00:00:00 UTC, so that a
 * program which prints the date prints the same date each time.
 */
#include "defs.h"
#include "scc/registers.h"
#include "x86.h"

#define EPOCH_SECONDS 1262304000u /* 2010-01-01 since 1970-01-01 */
#define FAST_CLOCK_MAX_MHZ 4000u

u32 cycle_picoseconds;

/* The clock as the registers have it: fast clock over the tile's divider
 * [intel-eas]. Zero when no such registers answer. */
static u32 picoseconds_from_registers(void)
{
    u32 tile = vm_map_kernel(SCC_CRB_OWN, PAGE_SIZE, TYPE_UNCACHED);
    u32 fpga = vm_map_kernel(SCC_FPGA_BASE + PAGE_DOWN(SCC_FPGA_FAST_CLOCK),
                             PAGE_SIZE, TYPE_UNCACHED);
    u32 fast = read_register(fpga + SCC_FPGA_FAST_CLOCK % PAGE_SIZE);
    u32 divider = read_register(tile + SCC_CRB_GCBCFG);

    fast &= SCC_FPGA_FAST_CLOCK_MHZ;
    divider =
        (divider & SCC_CRB_GCBCFG_DIVIDER) >> SCC_CRB_GCBCFG_DIVIDER_SHIFT;
    if (fast == 0 || fast > FAST_CLOCK_MAX_MHZ)
        return 0;
    return (divider + 1) * 1000000u / fast;
}

void clock_init(void)
{
    cycle_picoseconds = picoseconds_from_registers();
    if (!cycle_picoseconds && options.megahertz)
        cycle_picoseconds = 1000000u / options.megahertz;
    if (!cycle_picoseconds)
        panic("the core's clock is unknown: no registers and no mhz=");
}

/* Since this core left reset. */
u64 clock_nanoseconds(void)
{
    return multiply_divide(read_tsc(), cycle_picoseconds, 1000);
}

u64 clock_epoch_nanoseconds(void)
{
    return EPOCH_SECONDS * 1000000000ull + clock_nanoseconds();
}

u64 cycles_from_nanoseconds(u64 nanoseconds)
{
    return multiply_divide(nanoseconds, 1000, cycle_picoseconds);
}
