/*
 * lu.c: LU factorisation by blocks after SPLASH-2's description, written anew
 * with pthreads only.
 *
 *   lu contiguous|rows [THREADS SIZE]
 *
 * Blocks of 16 by 16 belong to threads by a grid of two dimensions; a block
 * lies in one piece, or its rows lie in those of the whole matrix. The output
 * is the kind, the threads, the microseconds, and the sum of all elements.
 */
#include "team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 16

static double *matrix;
static int size, blocks, contiguous, grid_rows, grid_columns;

static double *block(int row, int column)
{
    if (contiguous)
        return matrix + (row * blocks + column) * BLOCK * BLOCK;
    return matrix + row * BLOCK * size + column * BLOCK;
}

static int stride(void)
{
    return contiguous ? BLOCK : size;
}

static int owner(int row, int column)
{
    return row % grid_rows * grid_columns + column % grid_columns;
}

static void factor(double *a, int s)
{
    for (int k = 0; k < BLOCK; k++)
        for (int i = k + 1; i < BLOCK; i++) {
            a[i * s + k] /= a[k * s + k];
            for (int j = k + 1; j < BLOCK; j++)
                a[i * s + j] -= a[i * s + k] * a[k * s + j];
        }
}

/* a becomes L^-1 a, L the lower part of d. */
static void solve_row(double *a, const double *d, int s)
{
    for (int k = 0; k < BLOCK; k++)
        for (int i = k + 1; i < BLOCK; i++)
            for (int j = 0; j < BLOCK; j++)
                a[i * s + j] -= d[i * s + k] * a[k * s + j];
}

/* a becomes a U^-1, U the upper part of d. */
static void solve_column(double *a, const double *d, int s)
{
    for (int i = 0; i < BLOCK; i++)
        for (int k = 0; k < BLOCK; k++) {
            a[i * s + k] /= d[k * s + k];
            for (int j = k + 1; j < BLOCK; j++)
                a[i * s + j] -= a[i * s + k] * d[k * s + j];
        }
}

static void subtract_product(double *c, const double *a, const double *b, int s)
{
    for (int i = 0; i < BLOCK; i++)
        for (int k = 0; k < BLOCK; k++) {
            double factor = a[i * s + k];

            for (int j = 0; j < BLOCK; j++)
                c[i * s + j] -= factor * b[k * s + j];
        }
}

static void step(int number, int k)
{
    int s = stride();

    if (owner(k, k) == number)
        factor(block(k, k), s);
    pthread_barrier_wait(&barrier);
    for (int n = k + 1; n < blocks; n++) {
        if (owner(k, n) == number)
            solve_row(block(k, n), block(k, k), s);
        if (owner(n, k) == number)
            solve_column(block(n, k), block(k, k), s);
    }
    pthread_barrier_wait(&barrier);
    for (int i = k + 1; i < blocks; i++)
        for (int j = k + 1; j < blocks; j++)
            if (owner(i, j) == number)
                subtract_product(block(i, j), block(i, k), block(k, j), s);
}

/* Each thread fills its own blocks: the diagonal dominates. */
static void fill(int number)
{
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            if (owner(row / BLOCK, column / BLOCK) == number)
                block(row / BLOCK,
                      column / BLOCK)[row % BLOCK * stride() + column % BLOCK] =
                    row == column ? size : (row * 7 + column * 3) % 11 / 11.0;
}

static void *work(void *argument)
{
    int number = *(int *)argument;
    static long start;

    fill(number);
    pthread_barrier_wait(&barrier);
    if (number == 0)
        start = microseconds();
    for (int k = 0; k < blocks; k++)
        step(number, k);
    pthread_barrier_wait(&barrier);
    return number == 0 ? (void *)(microseconds() - start) : NULL;
}

int main(int argc, char **argv)
{
    double sum = 0;
    long time;

    contiguous = argc < 2 || strcmp(argv[1], "contiguous") == 0;
    threads = argc > 2 ? atoi(argv[2]) : 2;
    size = argc > 3 ? atoi(argv[3]) : 64;
    if (threads < 1 || threads > 48 || size % BLOCK) {
        fprintf(stderr, "lu: 1 to 48 threads, a size of whole blocks of 16\n");
        return 2;
    }
    blocks = size / BLOCK;
    for (grid_rows = 1; (grid_rows + 1) * (grid_rows + 1) <= threads;)
        grid_rows++;
    while (threads % grid_rows)
        grid_rows--;
    grid_columns = threads / grid_rows;
    matrix = aligned_alloc(4096, (size_t)(size * size) * sizeof *matrix);
    if (!run_team(work, &time))
        return 1;
    for (int n = 0; n < size * size; n++)
        sum += matrix[n];
    printf("%s %d %ld %.9e\n", contiguous ? "contiguous" : "rows", threads,
           time, sum);
    return 0;
}
