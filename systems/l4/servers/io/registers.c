/*
 * registers.c: which registers a client reads and writes.
 *
 * The kernel performs the access. It refuses LUT entries and other cores'
 * channels to the host itself. What a client writes here takes or frees a
 * lock, counts, or uses this core's channel to the host: its exit record, and
 * memory above the kernel's. Nothing resets, stops or slows.
 */
#include "servers/io/io.h"

#include "scc/host_channel.h"
#include "scc/registers.h"

#define COUNTER_WORDS 96 /* 48 counters of two words each, twice */
#define TILE_BYTES 0x2000u
#define FPGA_BYTES 0x10000u

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;

static int within(uint32_t offset, uint32_t from, uint32_t words)
{
    return offset - from < 4 * words;
}

/* A core's pins are a capability of their own (IO_PINS). */
static int tile_rule(uint32_t offset)
{
    return offset == SCC_CRB_LOCK(0) || offset == SCC_CRB_LOCK(1);
}

/* This core's part of the interrupt controller, and the counters. */
static int fpga_rule(uint32_t offset)
{
    uint32_t core = boot->core;

    return within(offset, SCC_FPGA_GIC_MASK(2 * core), 2) ||
           within(offset, SCC_FPGA_GIC_RESET(2 * core), 2) ||
           within(offset, SCC_FPGA_GIC_REQUEST(2 * core), 2) ||
           within(offset, SCC_FPGA_GIC_CONFIG(core), 1) ||
           within(offset, SCC_FPGA_COUNTER(0), COUNTER_WORDS) ||
           within(offset, SCC_FPGA_COUNTER_UPPER(0), COUNTER_WORDS);
}

static int may_write(uint32_t physical)
{
    uint32_t tile = physical & 0x00FFFFFF;

    if (physical - SCC_FPGA_BASE < FPGA_BYTES)
        return fpga_rule(physical - SCC_FPGA_BASE);
    if (physical - SCC_HOST_CHANNEL_OF(boot->core) < SCC_HOST_CHANNEL_STRIDE)
        return 1;
    /* The kernel knows what is no tile's. */
    return tile < TILE_BYTES && tile_rule(tile);
}

int32_t register_read(uint32_t physical, uint32_t *value)
{
    struct l4_message m = {L4_TAG(L4_REGISTERS_READ, 1), {physical, 0, 0}, 0};
    int32_t result = l4_call(L4_SLOT_REGISTERS, &m);

    *value = m.words[1];
    return result;
}

int32_t register_write(uint32_t physical, uint32_t value)
{
    if (!may_write(physical))
        return L4_NO_RIGHT;
    return l4_do(L4_SLOT_REGISTERS, L4_REGISTERS_WRITE, physical, value, 0);
}
