/*
 * RCCE_chip.c: where cores, buffers and registers are. On the SCC that is
 * known; the tiles of other chips tell it in registers that the SCC does not
 * have.
 */
#include "RCCE_lib.h"

struct rcce_chip rcce_chip = {
    .columns = 6,
    .cores_per_tile = 2,
    .window_shift = 24,
    .mpb = SCC_MPB_BASE,
    .crb = SCC_CRB_BASE,
};

static int field(uint32_t value, uint32_t mask, int shift)
{
    return (int)((value & mask) >> shift);
}

static void learn(volatile uint32_t *crb)
{
    uint32_t chip = crb[SCC_CRB_CHIP / 4];

    rcce_chip = (struct rcce_chip){
        .columns =
            field(chip, SCC_CRB_CHIP_COLUMNS, SCC_CRB_CHIP_COLUMNS_SHIFT),
        .cores_per_tile =
            field(chip, SCC_CRB_CHIP_CORES, SCC_CRB_CHIP_CORES_SHIFT),
        .window_shift =
            field(chip, SCC_CRB_CHIP_WINDOW, SCC_CRB_CHIP_WINDOW_SHIFT),
        .mpb = crb[SCC_CRB_MPB_WINDOWS / 4],
        .crb = crb[SCC_CRB_CRB_WINDOWS / 4],
        .extended = 1,
    };
}

/* The number of the core that runs this code, from TILEID: bits 2:0 core,
 * 6:3 column, 10:7 row (rcce-2010). */
int rcce_core_number(volatile uint32_t *crb)
{
    uint32_t id = crb[SCC_CRB_TILEID / 4];
    int column = (int)(id >> 3 & 15), row = (int)(id >> 7 & 15);

    if (id & SCC_CRB_TILEID_EXTENDED)
        learn(crb);
    return rcce_chip.cores_per_tile * (rcce_chip.columns * row + column) +
           (int)(id & 7);
}

/* Tiles have one core or two. */
static uint32_t window(uint32_t base, int core)
{
    int tile = core >> (rcce_chip.cores_per_tile - 1);

    return base + ((uint32_t)tile << rcce_chip.window_shift);
}

/* Core-physical addresses: a core's message buffer; the registers of its
 * tile. */
uint32_t rcce_buffer_of(int core)
{
    int half = core & (rcce_chip.cores_per_tile - 1);

    return window(rcce_chip.mpb, core) + (uint32_t)half * RCCE_BUFF_SIZE_MAX;
}

uint32_t rcce_registers_of(int core)
{
    return window(rcce_chip.crb, core);
}
