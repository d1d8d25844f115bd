/*
 * mandelbrot.c: the points of a square that belong to the Mandelbrot set, with
 * OpenMP alone.
 *
 *   mandelbrot [SIZE]
 *
 * Rows differ in their work, so how they are dealt out counts: the output is,
 * for each schedule, its name, the threads, the microseconds and the points.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 100 /* steps */

static int belongs(double re, double im)
{
    double x = 0, y = 0;

    for (int n = 0; n < MOST; n++) {
        double next = x * x - y * y + re;

        y = 2 * x * y + im;
        x = next;
        if (x * x + y * y > 4)
            return 0;
    }
    return 1;
}

static int row(int number, int size)
{
    int points = 0;

    for (int n = 0; n < size; n++)
        points += belongs(-2.0 + 2.5 * n / size, -1.25 + 2.5 * number / size);
    return points;
}

static void count(const char *name, omp_sched_t kind, int chunk, int size)
{
    int points = 0, threads = 0;
    double start;

    omp_set_schedule(kind, chunk);
#pragma omp parallel /* the threads are there from now on */
#pragma omp single
    threads = omp_get_num_threads();
    start = omp_get_wtime();
#pragma omp parallel for schedule(runtime) reduction(+ : points)
    for (int n = 0; n < size; n++)
        points += row(n, size);
    printf("%-7s %d threads %6.0f us %d points\n", name, threads,
           (omp_get_wtime() - start) * 1e6, points);
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 32;

    count("static", omp_sched_static, 0, size);
    count("dynamic", omp_sched_dynamic, 1, size);
    count("guided", omp_sched_guided, 1, size);
    return 0;
}
