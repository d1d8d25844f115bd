/*
 * cg_mpi.c: conjugate gradients for Poisson's equation on a square, whose rows
 * are shared out. Each iteration has an exchange with both neighbours and two
 * MPI_Allreduce. The solution is known: it is compared. Arguments: points a
 * side.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

static int side, rank, size, rows;
static MPI_Comm comm;

/* Vectors have a row of each neighbour above and below. */
static double *vector(void)
{
    return calloc((size_t)(rows + 2) * (size_t)side, sizeof(double));
}

static double dot(const double *x, const double *y)
{
    double own = 0, all;

    for (int n = side; n < (rows + 1) * side; n++)
        own += x[n] * y[n];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all;
}

static void exchange(double *x)
{
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(x + side, side, MPI_DOUBLE, up, 1, x + (rows + 1) * side, side,
                 MPI_DOUBLE, down, 1, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(x + rows * side, side, MPI_DOUBLE, down, 2, x, side,
                 MPI_DOUBLE, up, 2, comm, MPI_STATUS_IGNORE);
}

/* y = A x: the five-point star; the border is zero. */
static void multiply(double *x, double *y)
{
    exchange(x);
    for (int row = 1; row <= rows; row++)
        for (int column = 0; column < side; column++) {
            const double *p = x + row * side + column;
            y[row * side + column] = 4 * p[0] - p[-side] - p[side] -
                                     (column > 0 ? p[-1] : 0) -
                                     (column + 1 < side ? p[1] : 0);
        }
}

static void add(double *x, double factor, const double *y)
{
    for (int n = side; n < (rows + 1) * side; n++)
        x[n] += factor * y[n];
}

/* Iterations until the residual has shrunk to 1e-10 of what it was. */
static int solve(double *x, const double *b)
{
    double *r = vector(), *p = vector(), *q = vector();
    int n = 0;

    add(r, 1, b);
    add(p, 1, b);
    double now = dot(r, r), first = now;
    for (; now > 1e-20 * first && n < 10 * side; n++) {
        multiply(p, q);
        double step = now / dot(p, q), before = now;
        add(x, step, p);
        add(r, -step, q);
        now = dot(r, r);
        for (int i = side; i < (rows + 1) * side; i++)
            p[i] = r[i] + now / before * p[i];
    }
    free(r);
    free(p);
    free(q);
    return n;
}

int main(int argc, char **argv)
{
    double worst = 0, all;

    MPI_Init(&argc, &argv);
    comm = MPI_COMM_WORLD;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    side = argc > 1 ? atoi(argv[1]) : 48;
    int first = side * rank / size;
    rows = side * (rank + 1) / size - first;
    double *wanted = vector(), *b = vector(), *x = vector();
    for (int n = 0; n < rows * side; n++)
        wanted[side + n] = sin(first * side + n + 1);
    multiply(wanted, b);
    double start = MPI_Wtime();
    int iterations = solve(x, b);
    double ms = (MPI_Wtime() - start) * 1e3;
    for (int n = side; n < (rows + 1) * side; n++)
        worst = fmax(worst, fabs(x[n] - wanted[n]));
    MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (rank == 0)
        printf("cg: %d unknowns on %d ranks, %d iterations in %.2f ms: "
               "solution %s\n",
               side * side, size, iterations, ms,
               all < 1e-6 ? "right" : "WRONG");
    MPI_Finalize();
    return all >= 1e-6;
}
