/*
 * lu.h: the grid of LU and its split. Each core has a part of the x-y plane
 * and all of z. Arrays have two points more on both sides of x and y: the
 * neighbours' (GHOSTS).
 */
#ifndef LU_H
#define LU_H

#include "npb_fluid.h"

#include <stdbool.h>

#define GHOSTS 2
/* The factor of over-relaxation. */
#define OMEGA 1.2

/* This core's part of the grid. Its points from `low` up to (excluding) `high`
 * are inside the cube, not on its face; local indices, x first. */
struct lu_grid {
    double spacing, step;  /* between points, the cube being 1; time step */
    int points;            /* of the cube, on an axis */
    int side[2], place[2]; /* cores along x and y; this core's place */
    int first[2], count[2], low[2], high[2]; /* first: in the cube */
    int row, plane; /* distances in the arrays: along y, along z */
};

/* Aligned by hand, because the compiler aligns doubles in a structure to 4
 * bytes only. */
extern _Alignas(16) struct lu_grid grid;
/* Per point: the solution, the right-hand side (later its correction), the
 * forcing term, the fluxes. */
extern npb_point *u, *rsd, *frct, *flux;
/* One plane's blocks: of the lower or upper neighbours along z, y and x, and
 * the diagonal ones. */
extern npb_block *block_z, *block_y, *block_x, *block_d;

/* The index of a point in this core's arrays. `k`, `j` and `i` count from 0;
 * the ghost points before this core's points have negative ones. */
static inline int at(int k, int j, int i)
{
    return k * grid.plane + (j + GHOSTS) * grid.row + i + GHOSTS;
}

/* grid.c: splits the grid for core `me`. Returns null, or the reason why so
 * many cores cannot split it. */
const char *lu_split(int points, int cores, int me);
/* Allocates the arrays; returns false if there is not enough memory. */
bool lu_allocate(void);
/* Exchanges the boundary points of `u` with the neighbouring cores. */
void lu_exchange(void);
/* Receive the edges of plane `k` of `rsd` from the neighbours on one side (way
 * -1: those before this core, 1: those after it), and send this core's edges to
 * those on the other side. */
void lu_receive_edges(int k, int way);
void lu_send_edges(int k, int way);

/* rhs.c: computes rsd from u, ghost points and forcing term */
void lu_right_hand_side(void);
/* sweep.c: solves with the lower (lu_lower, planes upwards) or the upper
 * triangle (downwards) of plane `k`, in place in rsd. */
void lu_lower(int k);
void lu_upper(int k);
/* start.c: the functions of npb_fluid.h */
void lu_set_forcing(void);
void lu_start(void);
void lu_residual(npb_point norm);
void lu_error(npb_point norm);
double lu_surface(void);

#endif
