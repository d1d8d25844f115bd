/*
 * The split of the cube over a square of cores.
 */
#include "bt.h"
#include "npb.h"

#include <stdlib.h>

_Alignas(16) struct bt_grid grid;
struct bt_cell cells[8];

/* Core (column, row) has the cells (column + c, row - c, c). */
static void place_cells(int column, int row)
{
    int side = grid.side;

    for (int c = 0; c < side; c++) {
        struct bt_cell *cell = cells + c;
        cell->slab[0] = (column + c) % side;
        cell->slab[1] = (row - c + side) % side;
        cell->slab[2] = c;
        for (int a = 0; a < 3; a++) {
            int slab = cell->slab[a];
            int first = npb_first(grid.points, side, slab);
            int end = npb_first(grid.points, side, slab + 1);
            cell->first[a] = first;
            cell->size[a] = end - first;
            cell->low[a] = slab == 0;
            cell->high[a] = end - first - (slab == side - 1);
            grid.cell_in[a][slab] = c;
        }
        cell->row = cell->size[0] + 2 * GHOSTS;
        cell->plane = cell->row * (cell->size[1] + 2 * GHOSTS);
    }
}

const char *bt_split(int points, int cores, int me)
{
    int side = 1;

    while (side * side < cores)
        side++;
    if (side * side != cores)
        return "the number of cores must be a square";
    if (points / side < GHOSTS)
        return "the grid has not enough points for so many cores";
    grid.points = points;
    grid.side = side;
    grid.spacing = 1.0 / (points - 1);
    int column = me % side, row = me / side;
    int right = (column + 1) % side, left = (column + side - 1) % side;
    int down = (row + 1) % side, up = (row + side - 1) % side;
    grid.behind[0] = row * side + right;
    grid.before[0] = row * side + left;
    grid.behind[1] = down * side + column;
    grid.before[1] = up * side + column;
    grid.behind[2] = down * side + left;
    grid.before[2] = up * side + right;
    grid.turn[0] = column;
    grid.turn[1] = grid.turn[2] = row;
    place_cells(column, row);
    return 0;
}

bool bt_allocate(void)
{
    for (int c = 0; c < grid.side; c++) {
        struct bt_cell *cell = cells + c;
        size_t all = (size_t)cell->plane * (size_t)(cell->size[2] + 2 * GHOSTS);
        npb_point **points[] = {&cell->u, &cell->rhs, &cell->forcing};
        double **numbers[] = {&cell->speed[0], &cell->speed[1], &cell->speed[2],
                              &cell->square,   &cell->qs,       &cell->rho_i};
        for (int a = 0; a < 3; a++)
            if (!(*points[a] = calloc(all, sizeof(npb_point))))
                return false;
        for (int a = 0; a < 6; a++)
            if (!(*numbers[a] = calloc(all, sizeof(double))))
                return false;
        if (!(cell->c = calloc(all, sizeof(npb_block))))
            return false;
        /* Corners that nobody sends have a density too. */
        for (size_t p = 0; p < all; p++)
            cell->u[p][0] = 1;
    }
    return bt_allocate_faces() && bt_allocate_solve();
}
