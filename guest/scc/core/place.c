/*
 * place.c: the chip's numbers, distances, controllers.
 */
#include "scc/place.h"

/* Columns and rows with the routers that controllers are attached to; the
 * first column and row of the upper and right quarters. */
#define EAST 5
#define NORTH 2
#define HALF_COLUMNS 3
#define HALF_ROWS 2

struct scc_chip scc_chip = {
    .columns = 6,
    .cores_per_tile = 2,
    .window_shift = SCC_SEGMENT_SHIFT,
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

    scc_chip = (struct scc_chip){
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

int scc_core_number(volatile uint32_t *crb)
{
    uint32_t id = crb[SCC_CRB_TILEID / 4];
    int column = field(id, SCC_CRB_TILEID_X, SCC_CRB_TILEID_X_SHIFT);
    int row = field(id, SCC_CRB_TILEID_Y, SCC_CRB_TILEID_Y_SHIFT);

    if (id & SCC_CRB_TILEID_EXTENDED)
        learn(crb);
    return scc_chip.cores_per_tile * (scc_chip.columns * row + column) +
           (int)(id & SCC_CRB_TILEID_REQUESTER);
}

static int distance(int a, int b)
{
    return a < b ? b - a : a - b;
}

int scc_hops(int core, int other)
{
    return distance(scc_column_of(core), scc_column_of(other)) +
           distance(scc_row_of(core), scc_row_of(other));
}

int scc_controller_of(int core)
{
    return (scc_column_of(core) >= HALF_COLUMNS) +
           2 * (scc_row_of(core) >= HALF_ROWS);
}

int scc_hops_to_controller(int core, int controller)
{
    int column = controller % 2 ? EAST : 0, row = controller / 2 ? NORTH : 0;

    return distance(scc_column_of(core), column) +
           distance(scc_row_of(core), row);
}
