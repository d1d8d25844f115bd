/*
 * mg.h: the grids of MG and their split.
 */
#ifndef MG_H
#define MG_H

#include <stdbool.h>
#include <stddef.h>

/* A grid of n^3 points of which the core has `planes` from `first` on. Arrays
 * have one more place at both ends, for the neighbours' points. */
struct level {
    int n, first, planes;
    bool shared; /* by all: each core has all of it */
    double *u, *r;
};

extern struct level *top; /* the finest */
extern double *v;         /* its right-hand side */
extern int cores, me;

/* The first point of row j of plane k; -1 is the neighbours'. */
static inline double *row(const struct level *level, double *array, int k,
                          int j)
{
    int width = level->n + 2;

    return array + ((k + 1) * width + j + 1) * width + 1;
}

/* grid.c: the numbers of points of a plane with the neighbours', and of all. */
size_t mg_plane(const struct level *level);
size_t mg_numbers(const struct level *level);
/* Copies boundary points periodically: beyond a side is the opposite side. */
void mg_exchange(const struct level *level, double *array);

/* charges.c: puts 1 at the places of the ten highest random numbers (sign 1),
 * or -1 at those of the lowest. */
void mg_set_charges(double sign);

#endif
