/*
 * Sweeps in the manner of the NAS benchmark LU: five unknowns at a point, the
 * points in a grid of UEs. Values flow from north and west to south and east,
 * plane after plane, and then back: a wavefront through the grid for each
 * plane, many small messages. Sums over rows and columns of the grid by
 * communicators of their own; verified against the sweeps on one core.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "RCCE.h"

#define N 24
#define M 5
#define PLANES 6
#define STEPS 2
#define EPSILON 1.0e-8

typedef double field[PLANES][N + 2][N + 2][M];
static field u, reference;
static int rows, columns, row, column;

static int colour_row(int ue, void *aux)
{
    (void)aux;
    return ue / columns;
}

static int colour_column(int ue, void *aux)
{
    (void)aux;
    return ue % columns;
}

/* One point from its neighbours behind (or ahead), coupled. */
static void point(field v, int k, int i, int j, int d)
{
    double behind[M];
    int below = k - d, m, n;

    for (m = 0; m < M; m++)
        behind[m] = 0.3 * v[k][i - d][j][m] + 0.3 * v[k][i][j - d][m] +
                    0.2 * (below >= 0 && below < PLANES ? v[below][i][j][m]
                                                        : 0.01 * (i + j + m));
    for (m = 0; m < M; m++) {
        double sum = 0.5 * v[k][i][j][m];
        for (n = 0; n < M; n++)
            sum += (m == n ? 0.5 : 0.02 * ((m + 2 * n) % 3 - 1)) * behind[n];
        v[k][i][j][m] = sum;
    }
}

static void sweep(field v, int k, int i0, int i1, int j0, int j1, int d)
{
    int i, j;

    if (d > 0)
        for (i = i0; i <= i1; i++)
            for (j = j0; j <= j1; j++)
                point(v, k, i, j, d);
    else
        for (i = i1; i >= i0; i--)
            for (j = j1; j >= j0; j--)
                point(v, k, i, j, d);
}

static void edges(field v)
{
    int k, i, m;

    for (k = 0; k < PLANES; k++)
        for (i = 0; i <= N + 1; i++)
            for (m = 0; m < M; m++)
                v[k][i][0][m] = v[k][0][i][m] = v[k][i][N + 1][m] =
                    v[k][N + 1][i][m] = 1.0 + 0.1 * i + 0.2 * k + 0.3 * m;
}

/* A column of a plane is not in one piece. */
static void column_of(int k, int i0, int i1, int j, double *line, int put)
{
    int i, m;

    for (i = i0; i <= i1; i++)
        for (m = 0; m < M; m++)
            if (put)
                u[k][i][j][m] = *line++;
            else
                *line++ = u[k][i][j][m];
}

/* A plane, forward (d = 1) or back (d = -1). */
static void wavefront(int k, int i0, int i1, int j0, int j1, int me, int d)
{
    double line[N * M];
    size_t along = (j1 - j0 + 1) * M * sizeof(double);
    size_t across = (i1 - i0 + 1) * M * sizeof(double);
    int first_row = d > 0 ? 0 : rows - 1,
        first_column = d > 0 ? 0 : columns - 1;

    if (row != first_row)
        RCCE_recv((char *)u[k][d > 0 ? i0 - 1 : i1 + 1][j0], along,
                  me - d * columns);
    if (column != first_column) {
        RCCE_recv((char *)line, across, me - d);
        column_of(k, i0, i1, d > 0 ? j0 - 1 : j1 + 1, line, 1);
    }
    sweep(u, k, i0, i1, j0, j1, d);
    if (row != rows - 1 - first_row)
        RCCE_send((char *)u[k][d > 0 ? i1 : i0][j0], along, me + d * columns);
    if (column != columns - 1 - first_column) {
        column_of(k, i0, i1, d > 0 ? j1 : j0, line, 0);
        RCCE_send((char *)line, across, me + d);
    }
}

static double sum(field v, int i0, int i1, int j0, int j1)
{
    double all = 0.0;
    int k, i, j, m;

    for (k = 0; k < PLANES; k++)
        for (i = i0; i <= i1; i++)
            for (j = j0; j <= j1; j++)
                for (m = 0; m < M; m++)
                    all += (m + 1) * v[k][i][j][m];
    return all;
}

static double on_one_core(void)
{
    int step, k;

    edges(reference);
    for (step = 0; step < STEPS; step++) {
        for (k = 0; k < PLANES; k++)
            sweep(reference, k, 1, N, 1, N, 1);
        for (k = PLANES - 1; k >= 0; k--)
            sweep(reference, k, 1, N, 1, N, -1);
    }
    return sum(reference, 1, N, 1, N);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_COMM row_comm = {0}, column_comm = {0};
    double mine, of_row, total, due;
    int me, ues, step, k, i0, i1, j0, j1, size, rank;

    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    ues = RCCE_num_ues();
    for (rows = (int)sqrt((double)ues); ues % rows; rows--)
        ;
    columns = ues / rows;
    row = me / columns;
    column = me % columns;
    RCCE_comm_split(colour_row, NULL, &row_comm);
    RCCE_comm_split(colour_column, NULL, &column_comm);
    RCCE_comm_size(row_comm, &size);
    RCCE_comm_rank(row_comm, &rank);
    if (size != columns || rank != column)
        printf("UE %d: wrong communicator\n", me);

    i0 = 1 + row * N / rows;
    i1 = (row + 1) * N / rows;
    j0 = 1 + column * N / columns;
    j1 = (column + 1) * N / columns;
    edges(u);
    for (step = 0; step < STEPS; step++) {
        for (k = 0; k < PLANES; k++)
            wavefront(k, i0, i1, j0, j1, me, 1);
        for (k = PLANES - 1; k >= 0; k--)
            wavefront(k, i0, i1, j0, j1, me, -1);
    }
    mine = sum(u, i0, i1, j0, j1);
    RCCE_allreduce((char *)&mine, (char *)&of_row, 1, RCCE_DOUBLE, RCCE_SUM,
                   row_comm);
    RCCE_allreduce((char *)&of_row, (char *)&total, 1, RCCE_DOUBLE, RCCE_SUM,
                   column_comm);
    if (me == ues - 1) {
        due = on_one_core();
        printf("lu: %s\n", fabs(total - due) <= EPSILON * due
                               ? "VERIFICATION SUCCESSFUL"
                               : "VERIFICATION FAILED");
    }
    RCCE_finalize();
    return 0;
}
