/*
 * ocean.c: eddies of an ocean after SPLASH-2's description of OCEAN, written
 * anew with pthreads only.
 *
 *   ocean [THREADS SIZE STEPS]
 *
 * In a square basin of SIZE by SIZE points (a power of two) wind drives the
 * vorticity, which is carried by the stream function's flow and diffuses; in
 * each step the stream function comes from the vorticity by a multigrid solver:
 * red-black Gauss-Seidel on each grid, V-cycles until the residual is small, four
 * at most.
 * Each thread has a strip of rows of each grid. The output is the threads, the
 * microseconds, and cycles and sum of the stream function.
 */
#include "team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRIDS 12
#define SMALLEST 8 /* side of the coarsest grid */
#define CYCLES 4   /* at most, a step */

/* Points 1 to side, with a border of zeros. */
struct grid {
    int side;
    double *psi, *right, *rest; /* solution, right side, residual */
};

static struct grid grids[GRIDS];
static int steps, count, cycles;
static double *vorticity, *change, residual, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void strip(int number, int side, int *from, int *to)
{
    *from = 1 + side * number / threads;
    *to = 1 + side * (number + 1) / threads;
}

/* One colour of points; the spacing of the finest grid is 1. */
static void relax_colour(const struct grid *g, int from, int to, int colour)
{
    int width = g->side + 2, scale = grids[0].side / g->side;
    double spacing = (double)scale * scale;

    for (int row = from; row < to; row++)
        for (int n = 1 + (row + colour) % 2; n <= g->side; n += 2) {
            double *p = g->psi + row * width + n;

            *p = 0.25 * (p[-1] + p[1] + p[-width] + p[width] -
                         spacing * g->right[row * width + n]);
        }
}

static void relax(int number, const struct grid *g, int times)
{
    int from, to;

    strip(number, g->side, &from, &to);
    for (int n = 0; n < 2 * times; n++) {
        relax_colour(g, from, to, n % 2);
        pthread_barrier_wait(&barrier);
    }
}

/* So few points are one thread's work. */
static void relax_coarsest(int number)
{
    const struct grid *g = &grids[count - 1];

    for (int n = 0; number == 0 && n < 40; n++)
        relax_colour(g, 1, g->side + 1, n % 2);
    pthread_barrier_wait(&barrier);
}

/* The sum of its squares comes back. */
static double find_residual(const struct grid *g, int from, int to)
{
    int width = g->side + 2, scale = grids[0].side / g->side;
    double each = 1.0 / ((double)scale * scale), sum = 0;

    for (int row = from; row < to; row++)
        for (int n = 1; n <= g->side; n++) {
            const double *p = g->psi + row * width + n;
            double rest = g->right[row * width + n] -
                          each * (p[-1] + p[1] + p[-width] + p[width] - 4 * *p);

            g->rest[row * width + n] = rest;
            sum += rest * rest;
        }
    return sum;
}

/* A coarse point is the mean of four fine ones. */
static void restrict_rest(int number, const struct grid *fine,
                          const struct grid *coarse)
{
    int from, to, width = coarse->side + 2, fine_width = fine->side + 2;

    strip(number, coarse->side, &from, &to);
    for (int row = from; row < to; row++)
        for (int n = 1; n <= coarse->side; n++) {
            const double *r =
                fine->rest + (2 * row - 1) * fine_width + 2 * n - 1;

            coarse->right[row * width + n] =
                0.25 * (r[0] + r[1] + r[fine_width] + r[fine_width + 1]);
            coarse->psi[row * width + n] = 0;
        }
}

static void correct(int number, const struct grid *fine,
                    const struct grid *coarse)
{
    int from, to, width = coarse->side + 2, fine_width = fine->side + 2;

    strip(number, fine->side, &from, &to);
    for (int row = from; row < to; row++) {
        int nearest = (row + 1) / 2, next = row % 2 ? nearest - 1 : nearest + 1;

        for (int n = 1; n <= fine->side; n++) {
            int near = (n + 1) / 2, beside = n % 2 ? near - 1 : near + 1;

            fine->psi[row * fine_width + n] +=
                (9 * coarse->psi[nearest * width + near] +
                 3 * coarse->psi[nearest * width + beside] +
                 3 * coarse->psi[next * width + near] +
                 coarse->psi[next * width + beside]) /
                16;
        }
    }
}

static void add_up(double *sum, double part)
{
    pthread_mutex_lock(&lock);
    *sum += part;
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&barrier);
}

static void v_cycle(int number)
{
    int from, to;

    for (int n = 0; n + 1 < count; n++) {
        relax(number, &grids[n], 2);
        strip(number, grids[n].side, &from, &to);
        find_residual(&grids[n], from, to);
        pthread_barrier_wait(&barrier);
        restrict_rest(number, &grids[n], &grids[n + 1]);
        pthread_barrier_wait(&barrier);
    }
    relax_coarsest(number);
    for (int n = count - 2; n >= 0; n--) {
        correct(number, &grids[n], &grids[n + 1]);
        pthread_barrier_wait(&barrier);
        relax(number, &grids[n], 1);
    }
}

static void solve(int number, double small)
{
    int from, to;
    double found;

    strip(number, grids[0].side, &from, &to);
    for (int n = 0; n < CYCLES; n++) {
        v_cycle(number);
        if (number == 0) {
            residual = 0;
            cycles++;
        }
        found = find_residual(&grids[0], from, to);
        pthread_barrier_wait(&barrier);
        add_up(&residual, found);
        if (residual < small)
            return;
        pthread_barrier_wait(&barrier);
    }
}

/* How the vorticity changes: carried by the flow, diffused, driven. */
static void find_change(int from, int to)
{
    int width = grids[0].side + 2;
    const double *psi = grids[0].psi;

    for (int row = from; row < to; row++) {
        double wind = sin(2 * M_PI * row / (grids[0].side + 1));

        for (int n = 1; n <= grids[0].side; n++) {
            int at = row * width + n;
            double east = psi[at + width] - psi[at - width];
            double north = psi[at + 1] - psi[at - 1];
            double across = vorticity[at + 1] - vorticity[at - 1];
            double along = vorticity[at + width] - vorticity[at - width];
            double spread = vorticity[at - 1] + vorticity[at + 1] +
                            vorticity[at - width] + vorticity[at + width] -
                            4 * vorticity[at];

            change[at] = 0.25 * (east * across - north * along) +
                         0.05 * spread + 1e-3 * wind;
        }
    }
}

static void step(int number)
{
    int width = grids[0].side + 2, from, to;

    strip(number, grids[0].side, &from, &to);
    find_change(from, to);
    pthread_barrier_wait(&barrier);
    for (int row = from; row < to; row++)
        for (int n = 1; n <= grids[0].side; n++) {
            int at = row * width + n;

            vorticity[at] += 0.5 * change[at];
            grids[0].right[at] = vorticity[at];
        }
    pthread_barrier_wait(&barrier);
    solve(number, 1e-9 * grids[0].side);
}

static void *work(void *argument)
{
    int number = *(int *)argument, width = grids[0].side + 2, from, to;
    double sum = 0;
    long start;

    pthread_barrier_wait(&barrier);
    start = microseconds();
    for (int n = 0; n < steps; n++)
        step(number);
    pthread_barrier_wait(&barrier);
    start = microseconds() - start;
    strip(number, grids[0].side, &from, &to);
    for (int at = from * width; at < to * width; at++)
        sum += fabs(grids[0].psi[at]);
    add_up(&total, sum);
    return (void *)start;
}

static double *zeros(int side)
{
    size_t bytes = (size_t)(side + 2) * (size_t)(side + 2) * sizeof(double);
    double *memory = calloc(1, bytes);

    if (!memory)
        perror("ocean"), exit(1);
    return memory;
}

static void make_grids(int size)
{
    for (; size >= SMALLEST && count < GRIDS; size /= 2)
        grids[count++] =
            (struct grid){size, zeros(size), zeros(size), zeros(size)};
    vorticity = zeros(grids[0].side);
    change = zeros(grids[0].side);
}

int main(int argc, char **argv)
{
    int size = argc > 2 ? atoi(argv[2]) : 32;
    long time;

    threads = argc > 1 ? atoi(argv[1]) : 2;
    steps = argc > 3 ? atoi(argv[3]) : 1;
    if (threads < 1 || threads > 48 || size < SMALLEST || size & (size - 1)) {
        fprintf(stderr, "ocean: 1 to 48 threads, a power of two, at least %d\n",
                SMALLEST);
        return 2;
    }
    make_grids(size);
    if (!run_team(work, &time))
        return 1;
    printf("ocean %d %ld %d:%.6e\n", threads, time, cycles, total);
    return 0;
}
