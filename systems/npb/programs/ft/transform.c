/*
 * One-dimensional transforms along x, y and z.
 */
#include "ft.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
/* Lines that are transformed together when they are not side by side. */
#define LINES 8
#define LONGEST 512

/* exp(2 pi i k / longest) */
static complex_number *roots;
static int longest;

void ft_make_roots(void *(*make)(int numbers, unsigned size))
{
    longest = grid.nx > grid.ny ? grid.nx : grid.ny;
    longest = grid.nz > longest ? grid.nz : longest;
    roots = make(longest, sizeof *roots);
    for (int k = 0; k < longest; k++) {
        double angle = 2 * PI * k / longest;
        roots[k].re = cos(angle);
        roots[k].im = sin(angle);
    }
}

/*
 * Stockham's transform of one line, forward (sign 1) or back (-1); `spare` is
 * as long. Each step puts together pairs that are half the line apart.
 */
static void transform(complex_number *restrict line,
                      complex_number *restrict spare, int n, int sign)
{
    complex_number *from = line, *to = spare;

    for (int run = 1, groups = n / 2; groups >= 1; run *= 2, groups /= 2) {
        for (int g = 0; g < groups; g++) {
            complex_number w = roots[g * run * (longest / n)];
            w.im *= sign;
            const complex_number *a = from + g * run, *b = a + n / 2;
            complex_number *sum = to + 2 * g * run, *difference = sum + run;
            for (int k = 0; k < run; k++) {
                double re = a[k].re - b[k].re, im = a[k].im - b[k].im;
                sum[k].re = a[k].re + b[k].re;
                sum[k].im = a[k].im + b[k].im;
                difference[k].re = w.re * re - w.im * im;
                difference[k].im = w.re * im + w.im * re;
            }
        }
        complex_number *swap = from;
        from = to;
        to = swap;
    }
    if (from != line)
        memcpy(line, from, (size_t)n * sizeof *line);
}

/* Lines along x lie in memory as they are. */
void ft_rows(complex_number *array, int n, int rows, int sign)
{
    static complex_number spare[LONGEST];

    for (int r = 0; r < rows; r++)
        transform(array + r * n, spare, n, sign);
}

/* Lines along y are copied out, a few at a time. */
void ft_columns(complex_number *plane, int sign)
{
    static complex_number spare[LONGEST], line[LINES][LONGEST];

    for (int i = 0; i < grid.nx; i += LINES) {
        for (int j = 0; j < grid.ny; j++)
            for (int l = 0; l < LINES; l++)
                line[l][j] = plane[j * grid.nx + i + l];
        for (int l = 0; l < LINES; l++)
            transform(line[l], spare, grid.ny, sign);
        for (int j = 0; j < grid.ny; j++)
            for (int l = 0; l < LINES; l++)
                plane[j * grid.nx + i + l] = line[l][j];
    }
}
