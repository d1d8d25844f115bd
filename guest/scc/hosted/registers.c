/*
 * registers.c: registers of tiles and of the FPGA, each page mapped once.
 */
#include <sys/mman.h>

#include "scc/map.h"

/* The pages of a tile's registers: locks and the like, then the two LUTs. */
#define TILE_BYTES (2 * SCC_PAGE)
#define FPGA_BYTES 0x10000u

static volatile uint32_t *tiles[SCC_MOST_CORES];

volatile uint32_t *scc_registers(int core)
{
    volatile uint32_t **tile = &tiles[scc_tile_of(core)];

    if (!*tile)
        *tile = scc_map(SCC_UNCACHED, scc_registers_of(core), TILE_BYTES);
    return *tile;
}

scc_lock *scc_lock_of(int core)
{
    volatile uint32_t *tile = scc_registers(core);

    return tile ? tile + scc_lock_offset(core) / 4 : NULL;
}

volatile uint32_t *scc_lut(int core)
{
    volatile uint32_t *tile = scc_registers(core);

    return tile ? tile + scc_lut_offset(core) / 4 : NULL;
}

volatile uint32_t *scc_fpga(uint32_t offset)
{
    static volatile uint32_t *fpga;

    if (!fpga)
        fpga = scc_map(SCC_UNCACHED, SCC_FPGA_BASE, FPGA_BYTES);
    return fpga ? fpga + offset / 4 : NULL;
}

int scc_own_core(void)
{
    static int core = -1;

    if (core < 0) {
        volatile uint32_t *own = scc_map(SCC_UNCACHED, SCC_CRB_OWN, SCC_PAGE);

        if (!own)
            return -1;
        core = scc_core_number(own);
        munmap((void *)own, SCC_PAGE);
    }
    return core;
}
