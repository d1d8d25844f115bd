/*
 * mg.h: the grids of MG and their split.
 */
#ifndef MG_H
#define MG_H

#include <stdbool.h>
#include <stddef.h>

/* A grid of n^3 points of which the core has `planes` from `first` on. Arrays
 * have the neighbours of each side in one place more at both ends. */
struct level {
    int n, first, planes;
    bool shared; /* by all: each core has all of it */
    double *u, *r;
};

extern struct level *top; /* the finest */
extern double *v;         /* its right-hand side */
extern int cores, me;

/* The first of the row j of the plane k; -1 is the neighbours'. */
static inline double *row(const struct level *level, double *array, int k,
                          int j)
{
    int width = level->n + 2;

    return array + ((k + 1) * width + j + 1) * width + 1;
}

/* grid.c: numbers of a plane with the neighbours', and of all. */
size_t mg_plane(const struct level *level);
size_t mg_numbers(const struct level *level);
/* What is beyond a side is what is at the other side. */
void mg_exchange(const struct level *level, double *array);

/* charges.c: 1 at the places of the ten highest random numbers (sign 1), or -1
 * at those of the lowest. */
void mg_set_charges(double sign);

#endif
