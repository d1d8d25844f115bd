/*
 * bt.h: the grid of BT and its split. The cube is cut into side^3 cells, and
 * each of the side^2 cores has one cell in each slab of each axis, so that
 * all cores work when lines are solved slab after slab. Arrays of a cell have
 * two points more on every side: the neighbours' (GHOSTS).
 */
#ifndef BT_H
#define BT_H

#include "npb_fluid.h"

#include <stdbool.h>

#define GHOSTS 2
#define MOST_POINTS 102

/* A cell of the cube. The points from `low` up to (excluding) `high` are inside
 * the cube, not on its face. Axes count from 0 here: x, y, z. */
struct bt_cell {
    /* By axis: the cell's place; its first point in the cube; its number of
     * points; `low` and `high` count from its first point. */
    int slab[3], first[3], size[3], low[3], high[3];
    int row, plane; /* distances in the arrays: along y, along z */
    npb_point *u, *rhs, *forcing; /* solution; right-hand side */
    /* Values computed from the unknowns for the right-hand side, one for each
     * point: the three velocities; half the square of momentum divided by
     * density; half the square of speed; 1 / density. */
    double *speed[3], *square, *qs, *rho_i;
    /* For each point, the block to the right of the diagonal, after
     * elimination. */
    npb_block *c;
};

struct bt_grid {
    double spacing, step; /* between points, the cube being 1; time step */
    int points, side;     /* of the cube, on an axis; cells on an axis */
    /* By axis: which of this core's cells lies in each slab; the cores that
     * have the cells before and after it; and (`turn`) this core's position in
     * their order. */
    int cell_in[3][8], before[3], behind[3], turn[3];
};

/* Aligned by hand, because the compiler aligns doubles in a structure to 4
 * bytes only. */
extern _Alignas(16) struct bt_grid grid;
extern struct bt_cell cells[8];

/* The distance of neighbouring points along an axis in a cell's arrays. */
static inline int stride(const struct bt_cell *cell, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? cell->row : cell->plane;
}

/* The index of a point in the arrays of a cell. `k`, `j` and `i` count from 0
 * inside the cell; the ghost points before it have negative ones. */
static inline int at(const struct bt_cell *cell, int k, int j, int i)
{
    return (k + GHOSTS) * cell->plane + (j + GHOSTS) * cell->row + i + GHOSTS;
}

/* grid.c: splits the grid for core `me`. Returns null, or the reason why so
 * many cores cannot split it. */
const char *bt_split(int points, int cores, int me);
/* Allocates the arrays; returns false if there is not enough memory. */
bool bt_allocate(void);

/* faces.c: fills the ghost points of `u` with the neighbouring cores'
 * points. */
bool bt_allocate_faces(void);
void bt_exchange(void);
/* Sends `out_count` numbers to core `to` and receives `in_count` numbers from
 * core `from`; `first`: true to send first. Messages wait for their receiver,
 * so at least one core of a ring must receive first. */
void bt_shift(double *out, int out_count, int to, double *in, int in_count,
              int from, bool first);

/* rhs.c: computes rhs from u, ghost points and forcing */
void bt_right_hand_side(void);
/* solve.c: solves the systems of equations along an axis (0: x, 1: y, 2: z);
 * rhs becomes the solution. */
bool bt_allocate_solve(void);
void bt_solve(int axis);
/* start.c: the functions of npb_fluid.h */
void bt_set_forcing(void);
void bt_start(void);
void bt_residual(npb_point norm);
void bt_error(npb_point norm);

#endif
