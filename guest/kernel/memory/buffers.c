/* The message buffers of a chip that is not the SCC, as one range: core n's
 * is at n times the size of one, although the LUT has a window for each
 * tile. A program can so map those of hundreds of cores at once, and only
 * pages that it touches cost anything.
 *
 * The tile has the chip's size in registers that the SCC does not have.
 */
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "scc/registers.h"

static struct {
    u32 size;           /* of all of them; 0 on the SCC */
    u32 core_bits;      /* a core's buffer has 2^core_bits bytes */
    u32 cores_per_tile; /* 1 or 2 */
    u32 window_bits;
    u32 windows;
} chip;
static bool known;

static u32 field(u32 value, u32 mask, u32 shift)
{
    return (value & mask) >> shift;
}

/* Bytes of all message buffers, or 0 on the SCC. */
u32 buffers_size(void)
{
    u32 tile, size;

    if (known)
        return chip.size;
    known = true;
    tile = vm_map_kernel(SCC_CRB_OWN, PAGE_SIZE, TYPE_UNCACHED);
    if (!(read_register(tile + SCC_CRB_TILEID) & SCC_CRB_TILEID_EXTENDED))
        return 0;
    size = read_register(tile + SCC_CRB_CHIP);
    chip.core_bits = field(size, SCC_CRB_CHIP_MPB, SCC_CRB_CHIP_MPB_SHIFT);
    chip.cores_per_tile =
        field(size, SCC_CRB_CHIP_CORES, SCC_CRB_CHIP_CORES_SHIFT);
    chip.window_bits =
        field(size, SCC_CRB_CHIP_WINDOW, SCC_CRB_CHIP_WINDOW_SHIFT);
    chip.windows = read_register(tile + SCC_CRB_MPB_WINDOWS);
    chip.size = field(size, SCC_CRB_CHIP_COLUMNS, SCC_CRB_CHIP_COLUMNS_SHIFT) *
                    field(size, SCC_CRB_CHIP_ROWS, SCC_CRB_CHIP_ROWS_SHIFT) *
                    chip.cores_per_tile
                << chip.core_bits;
    return chip.size;
}

/* The core-physical address of a byte of the range. */
u32 buffer_physical(u32 offset)
{
    u32 core = offset >> chip.core_bits;
    u32 tile = core / chip.cores_per_tile;
    u32 half = core % chip.cores_per_tile;

    return chip.windows + (tile << chip.window_bits) +
           (half << chip.core_bits) + (offset & ((1u << chip.core_bits) - 1));
}
