/*
 * mg.h: the grids of MG and their split.
 */
#ifndef MG_H
#define MG_H

#include <stdbool.h>
#include <stddef.h>

/* A grid of n^3 points, of which this core has the `planes` planes from number
 * `first` on. Arrays have one more place at both ends of each axis, for the
 * neighbours' points. */
struct level {
    int n, first, planes; /* planes: numbers along z */
    bool shared;   /* a grid so small that each core has and computes all */
    double *u, *r; /* solution, residual */
};

extern struct level *top; /* the finest */
extern double *v;         /* its right-hand side */
extern int cores, me;

/* The address of the first own point of row j of plane k; row or plane -1 has
 * the neighbours' points. */
static inline double *row(const struct level *level, double *array, int k,
                          int j)
{
    int width = level->n + 2;

    return array + ((k + 1) * width + j + 1) * width + 1;
}

/* grid.c: how many numbers an array has for one plane, and for all planes, with
 * the neighbours' points. */
size_t mg_plane(const struct level *level);
size_t mg_numbers(const struct level *level);
/* Copies boundary points periodically, beyond each side the opposite one, with
 * the neighbouring cores unless the grid is shared; collective. */
void mg_exchange(const struct level *level, double *array);

/* charges.c: puts 1 at the places of the ten highest random numbers (sign 1),
 * or -1 at those of the ten lowest (sign -1), into `v`; collective. */
void mg_set_charges(double sign);

#endif
