/*
 * What cells' neighbours send: along each axis one message to each side, of
 * all of a core's cells.
 */
#include "RCCE.h"
#include "bt.h"

#include <stdlib.h>
#include <string.h>

static npb_point *sent, *received;

bool bt_allocate_faces(void)
{
    size_t longest = (size_t)(grid.points / grid.side + 1);
    size_t room = longest * longest * GHOSTS * (size_t)grid.side;

    if (grid.side == 1)
        return true;
    sent = calloc(room, sizeof(npb_point));
    received = calloc(room, sizeof(npb_point));
    return sent && received;
}

/* Messages wait for their receiver: in a ring one core at least must receive
 * first. */
void bt_shift(double *out, int out_count, int to, double *in, int in_count,
              int from, bool first)
{
    size_t out_bytes = (size_t)out_count * sizeof(double);
    size_t in_bytes = (size_t)in_count * sizeof(double);

    if (first)
        RCCE_send((char *)out, out_bytes, to);
    RCCE_recv((char *)in, in_bytes, from);
    if (!first)
        RCCE_send((char *)out, out_bytes, to);
}

/* Copies two layers of a cell into a message, or from it; returns how many
 * points. */
static int pack(struct bt_cell *cell, npb_point *message, int axis, int from,
                bool out)
{
    int start[3] = {0, 0, 0}, stop[3], n = 0;

    memcpy(stop, cell->size, sizeof stop);
    start[axis] = from;
    stop[axis] = from + GHOSTS;
    size_t bytes = (size_t)(stop[0] - start[0]) * sizeof(npb_point);
    for (int k = start[2]; k < stop[2]; k++)
        for (int j = start[1]; j < stop[1]; j++) {
            npb_point *row = cell->u + at(cell, k, j, start[0]);
            if (out)
                memcpy(message + n, row, bytes);
            else
                memcpy(row, message + n, bytes);
            n += stop[0] - start[0];
        }
    return n;
}

/* How many points the cells get whose slabs are from `slab` on. */
static int incoming(int axis, int slab)
{
    int n = 0;

    for (int s = slab; s < slab + grid.side - 1; s++) {
        const int *size = cells[grid.cell_in[axis][s]].size;
        n += GHOSTS * size[(axis + 1) % 3] * size[(axis + 2) % 3];
    }
    return n;
}

/* All cells' faces go to the next slab (way 1) or the one before (-1). */
static void exchange(int axis, int way)
{
    int out = 0, in = 0, slabs = grid.side - 1;
    int to = way > 0 ? grid.behind[axis] : grid.before[axis];
    int from = way > 0 ? grid.before[axis] : grid.behind[axis];

    for (int s = 0; s < slabs; s++) {
        int slab = way > 0 ? s : s + 1;
        struct bt_cell *cell = cells + grid.cell_in[axis][slab];
        int edge = way > 0 ? cell->size[axis] - GHOSTS : 0;
        out += pack(cell, sent + out, axis, edge, true);
    }
    bt_shift(sent[0], 5 * out, to, received[0],
             5 * incoming(axis, way > 0 ? 1 : 0), from,
             grid.turn[axis] % 2 == 0);
    for (int s = 0; s < slabs; s++) {
        int slab = way > 0 ? s + 1 : s;
        struct bt_cell *cell = cells + grid.cell_in[axis][slab];
        int edge = way > 0 ? -GHOSTS : cell->size[axis];
        in += pack(cell, received + in, axis, edge, false);
    }
}

void bt_exchange(void)
{
    if (grid.side == 1)
        return;
    for (int axis = 0; axis < 3; axis++) {
        exchange(axis, 1);
        exchange(axis, -1);
    }
}
