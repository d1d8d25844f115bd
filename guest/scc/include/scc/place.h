/* The places of cores, message buffers and registers. They are constants on the
 * SCC; on larger chips, the tiles have registers for them, which the SCC lacks.
 * Part of the core of the layer: needs no C library and no kernel. */
#ifndef SCC_PLACE_H
#define SCC_PLACE_H

#include <stdint.h>

#include "scc/memory_map.h"
#include "scc/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCC_CORES 48
/* The most cores that 32-bit addresses allow. */
#define SCC_MOST_CORES 512
#define SCC_CONTROLLERS 4
/* The address bits of one entry of the SCC's LUT: 16 MB. */
#define SCC_SEGMENT_SHIFT 24
#define SCC_PAGE 4096u

struct scc_chip {
    int columns, cores_per_tile, window_shift;
    uint32_t mpb, crb; /* core-physical, of tile 0 */
    int extended;      /* not the SCC */
};
extern struct scc_chip scc_chip; /* the SCC's, before scc_core_number */

/* The number of the core that runs this code, read from its tile's registers.
 * On another chip than the SCC, also fills in scc_chip. */
int scc_core_number(volatile uint32_t *crb);

static inline int scc_tile_of(int core)
{
    return core >> (scc_chip.cores_per_tile - 1);
}

/* The number of the core in its tile: 0 or 1. */
static inline int scc_half_of(int core)
{
    return core & (scc_chip.cores_per_tile - 1);
}

static inline int scc_column_of(int core)
{
    return scc_tile_of(core) % scc_chip.columns;
}

static inline int scc_row_of(int core)
{
    return scc_tile_of(core) / scc_chip.columns;
}

/* Core-physical addresses: a core's message buffer, its tile's registers. */
static inline uint32_t scc_mpb_of(int core)
{
    return scc_chip.mpb +
           ((uint32_t)scc_tile_of(core) << scc_chip.window_shift) +
           (uint32_t)scc_half_of(core) * SCC_MPB_SIZE_PER_CORE;
}

static inline uint32_t scc_registers_of(int core)
{
    return scc_chip.crb +
           ((uint32_t)scc_tile_of(core) << scc_chip.window_shift);
}

/* Offsets within a tile's registers: a core's test-and-set register, LUT. */
static inline uint32_t scc_lock_offset(int core)
{
    return SCC_CRB_LOCK((uint32_t)scc_half_of(core));
}

static inline uint32_t scc_lut_offset(int core)
{
    return scc_half_of(core) ? SCC_LUT_LUT1(0) : SCC_LUT_LUT0(0);
}

/* The number of links between the routers of two cores. */
int scc_hops(int core, int other);
/* The controller of the core's quarter on the SCC (0 to 3: west and east below,
 * west and east above), which has its private memory by default; and the number
 * of links from a core to a controller's router [rcce-2010]. */
int scc_controller_of(int core);
int scc_hops_to_controller(int core, int controller);

#ifdef __cplusplus
}
#endif

#endif
