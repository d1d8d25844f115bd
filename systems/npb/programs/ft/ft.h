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
    /* The core's planes, its lines of z, and the numbers of both. */
    int planes, lines, count;
};

extern struct ft_grid grid;

/* transform.c: roots of unity, in memory that `make` gives. */
void ft_make_roots(void *(*make)(int numbers, unsigned size));
/* Forward (sign 1) or back (-1): lines that follow each other, and the columns
 * of a plane. */
void ft_rows(complex_number *array, int n, int rows, int sign);
void ft_columns(complex_number *plane, int sign);

/* transpose.c: from planes to lines of z, or back; `from` is used up. */
void ft_planes_to_lines(complex_number *from, complex_number *to);
void ft_lines_to_planes(complex_number *from, complex_number *to);

#endif
