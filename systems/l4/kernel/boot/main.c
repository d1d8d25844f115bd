/*
 * main.c: the kernel starts, and sigma0 and the root task with it.
 */
#include "kernel/boot/begin.h"
#include "common/processor.h"
#include "scc/host_channel.h"
#include "scc/registers.h"

#define LOADER_MAGIC 0x2BADB002u
#define FAST_CLOCK_MAX_MHZ 4000u

static u32 host_registers;

/* The chip's registers say it, or the command line [intel-eas]. */
static u32 clock_megahertz(u32 own_tile)
{
    u32 fpga =
        device_page(DEVICE_FPGA, SCC_FPGA_BASE + (SCC_FPGA_FAST_CLOCK & -PAGE));
    u32 fast = read_register(fpga + SCC_FPGA_FAST_CLOCK % PAGE) &
               SCC_FPGA_FAST_CLOCK_MHZ;
    u32 divider =
        (read_register(own_tile + SCC_CRB_GCBCFG) & SCC_CRB_GCBCFG_DIVIDER) >>
        SCC_CRB_GCBCFG_DIVIDER_SHIFT;
    u32 named = option_number("mhz=");

    if (named) {
        boot_data.cycle_picoseconds = 1000000u / named;
        return named;
    }
    if (fast == 0 || fast > FAST_CLOCK_MAX_MHZ)
        stop("the core's clock is unknown: say mhz= on the command line");
    boot_data.cycle_picoseconds = (divider + 1) * 1000000u / fast;
    return fast / (divider + 1);
}

static void record(u32 offset, u32 value)
{
    /* A core that ends before this is known has no host to say it to. */
    if (host_registers)
        write_register(host_registers + offset, value);
}

/* The exit record that the host waits for, if there is a host channel. */
void core_end(u32 code)
{
    record(SCC_HOST_EXIT_REASON, SCC_EXIT_NORMAL);
    record(SCC_HOST_EXIT_CODE, code);
    record(SCC_HOST_EXIT_DONE, 1);
    halt_forever();
    __builtin_unreachable();
}

/* A program's end by an exception, as a signal of i386 Linux. */
void core_end_by_signal(u32 number, u32 eip, u32 address)
{
    record(SCC_HOST_EXIT_REASON, SCC_EXIT_SIGNAL);
    record(SCC_HOST_EXIT_CODE, number);
    record(SCC_HOST_EXIT_EIP, eip);
    record(SCC_HOST_EXIT_ADDRESS, address);
    record(SCC_HOST_EXIT_VECTOR, SCC_EXIT_NO_VECTOR);
    record(SCC_HOST_EXIT_DONE, 1);
    halt_forever();
    __builtin_unreachable();
}

/* On another chip a register of the tile has its size. */
static u32 core_number(u32 own_tile, bool *extended)
{
    u32 id = read_register(own_tile + SCC_CRB_TILEID), columns = 6, cores = 2;

    *extended = (id & SCC_CRB_TILEID_EXTENDED) != 0;
    if (*extended) {
        u32 chip = read_register(own_tile + SCC_CRB_CHIP);

        columns = chip & SCC_CRB_CHIP_COLUMNS;
        cores = (chip & SCC_CRB_CHIP_CORES) >> SCC_CRB_CHIP_CORES_SHIFT;
    }
    return ((id >> 7 & 0xF) * columns + (id >> 3 & 0xF)) * cores + (id & 7);
}

void main(u32 magic, u32 information)
{
    u32 own_tile, channel;
    bool extended;

    own_tile = device_page(DEVICE_TILE, SCC_CRB_OWN);
    boot_data.core = core_number(own_tile, &extended);
    channel = SCC_HOST_CHANNEL_OF(boot_data.core);
    host_registers = device_page(DEVICE_HOST, channel & -PAGE) + channel % PAGE;
    if (extended)
        stop("this kernel knows the SCC's 48 cores, and this is another chip");
    if (magic != LOADER_MAGIC)
        give_up("not started by a multiboot loader: EAX", magic);
    segments_init();
    boot_read(information);
    boot_data.megahertz = clock_megahertz(own_tile);
    irq_init(own_tile, boot_data.core);
    registers_init(boot_data.core, boot_data.memory_start);
    timer_init(boot_data.megahertz);
    apic_init();
    boot_tasks();
    schedule();
}
