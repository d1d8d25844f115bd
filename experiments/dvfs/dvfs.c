/*
 * dvfs.c: a kernel of dense linear algebra at each divider of the clock.
 *
 * dvfs dot|mv|mm|access SHRINK DIVIDER...: for each divider a line
 * `divider cycles`. A SHRINK of 0: the vectors of dot are 16 MB each, the
 * matrix of mv is 512 x 1024, those of mm 160 x 160, and access follows a
 * chain through 4096 lines; 1: half the numbers, and so on. The loops are
 * unrolled and tiled as the paper describes. A divider below 0: all of it, but
 * not the kernel.
 */
#include "RCCE.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16
/* Doubles in a line. */
#define LINE 4

static double *x, *y, *z;
static volatile double result;

static void dot(size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i += 4) {
        sum += x[i] * y[i];
        sum += x[i + 1] * y[i + 1];
        sum += x[i + 2] * y[i + 2];
        sum += x[i + 3] * y[i + 3];
    }
    result = sum;
}

static void matrix_vector(size_t columns)
{
    for (size_t row = 0; row < columns / 2; row++) {
        const double *line = x + row * columns;
        double sum = 0;

        for (size_t i = 0; i < columns; i += 4) {
            sum += line[i] * y[i];
            sum += line[i + 1] * y[i + 1];
            sum += line[i + 2] * y[i + 2];
            sum += line[i + 3] * y[i + 3];
        }
        z[row] = sum;
    }
}

/* z[i][j] += x[i][k] y[k][j] over one tile. */
static void tile(size_t n, size_t i0, size_t k0, size_t j0)
{
    for (size_t i = i0; i < i0 + TILE; i++)
        for (size_t j = j0; j < j0 + TILE; j++) {
            double sum = z[i * n + j];

            for (size_t k = k0; k < k0 + TILE; k++)
                sum += x[i * n + k] * y[k * n + j];
            z[i * n + j] = sum;
        }
}

static void matrix_matrix(size_t n)
{
    for (size_t i = 0; i < n; i += TILE)
        for (size_t j = 0; j < n; j += TILE)
            for (size_t k = 0; k < n; k += TILE)
                tile(n, i, k, j);
}

/* From line to line, each of which contains the address of the next one. */
static void chain(size_t lines)
{
    for (size_t i = 0; i < lines; i++)
        *(void **)(x + i * LINE) = x + (i + 1) % lines * LINE;
}

static void follow(size_t lines)
{
    void **at = (void **)x;

    for (size_t i = 0; i < lines; i++)
        at = *at;
    result = at == (void **)x;
}

static double *doubles(size_t count)
{
    double *at = malloc(count * sizeof *at);

    /* Written once: its pages are there. */
    for (size_t i = 0; at && i < count; i++)
        at[i] = (double)(i % 7);
    return at;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    if (argc < 4)
        return 1;
    int is_dot = strcmp(argv[1], "dot") == 0,
        is_mv = strcmp(argv[1], "mv") == 0,
        is_access = strcmp(argv[1], "access") == 0;
    size_t full = is_dot ? 2097152 : is_mv ? 1024 : is_access ? 4096 : 160;
    size_t size = full >> atoi(argv[2]) & ~(size_t)(TILE - 1);
    size_t square = is_mv       ? size * size / 2
                    : is_access ? size * LINE
                                : size * size;

    x = doubles(is_dot ? size : square);
    y = doubles(is_dot || is_mv ? size : square);
    z = doubles(is_dot || is_mv ? size : square);
    if (!x || !y || !z)
        return 2;
    if (is_access)
        chain(size);
    for (int i = 3; i < argc; i++) {
        int asked = atoi(argv[i]);
        RCCE_REQUEST request;
        int divider, level;

        if (RCCE_iset_power(abs(asked), &request, &divider, &level) ||
            RCCE_wait_power(&request))
            return 3;
        /* What the caches hold of the last round would be read for nothing. */
        RCCE_DCMflush();
        if (asked < 0)
            continue;
        uint64_t start = __builtin_ia32_rdtsc();
        if (is_dot)
            dot(size);
        else if (is_mv)
            matrix_vector(size);
        else if (is_access)
            follow(size);
        else
            matrix_matrix(size);
        printf("%d %llu\n", divider,
               (unsigned long long)(__builtin_ia32_rdtsc() - start));
    }
    RCCE_finalize();
    return 0;
}
