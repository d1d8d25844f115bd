/*
 * ft.h: the grid of FT and its split.
 */
#ifndef FT_H
#define FT_H

typedef struct {
    double re, im;
} complex_number;

struct ft_grid {
    int cores, me, nx, ny, nz;
    /* The numbers of the core's planes, of its lines of z, and of all its
     * points. */
    int planes, lines, count;
};

extern struct ft_grid grid;

/* transform.c: computes roots of unity, in memory from `make`. */
void ft_make_roots(void *(*make)(int numbers, unsigned size));
/* Transforms forward (sign 1) or back (-1): consecutive lines, and the columns
 * of a plane. */
void ft_rows(complex_number *array, int n, int rows, int sign);
void ft_columns(complex_number *plane, int sign);

/* transpose.c: from planes to lines of z, or back; `from` is overwritten. */
void ft_planes_to_lines(complex_number *from, complex_number *to);
void ft_lines_to_planes(complex_number *from, complex_number *to);

#endif
