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
    /* What this core has: the number of planes, of lines along z after the
     * transpose, and of points. */
    int planes, lines, count;
};

extern struct ft_grid grid;

/* transform.c: computes the roots of unity, in memory that `make` returns:
 * `numbers` items of `size` bytes. Call first. */
void ft_make_roots(void *(*make)(int numbers, unsigned size));
/* Transform in place, forward (sign 1) or back (-1), without scaling: `rows`
 * consecutive lines of `n` points (ft_rows), or the ny-point columns of a plane
 * of nx by ny points (ft_columns). */
void ft_rows(complex_number *array, int n, int rows, int sign);
void ft_columns(complex_number *plane, int sign);

/* transpose.c: redistribute points of all cores from planes to lines along z,
 * or back; collective; `from` is overwritten. */
void ft_planes_to_lines(complex_number *from, complex_number *to);
void ft_lines_to_planes(complex_number *from, complex_number *to);

#endif
