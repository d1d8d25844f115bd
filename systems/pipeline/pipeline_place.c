/* pipeline_place.c: orders of cores. */
#include "pipeline.h"
#include "RCCE_lib.h"

#define TILES_IN_ROW 6
#define CORES_IN_ROW (2 * TILES_IN_ROW)

static int place_of(int ue, enum pipeline_order order)
{
    int core = RC_COREID[ue], row = core / CORES_IN_ROW;
    int column = core % CORES_IN_ROW;

    if (order == PIPELINE_SNAKE && row % 2)
        column = CORES_IN_ROW - 1 - column;
    return row * CORES_IN_ROW + column;
}

void pipeline_place(int *ues, enum pipeline_order order)
{
    for (int ue = 0; ue < RCCE_num_ues(); ue++) {
        int place = place_of(ue, order), at = ue;

        for (; at > 0 && place_of(ues[at - 1], order) > place; at--)
            ues[at] = ues[at - 1];
        ues[at] = ue;
    }
}
