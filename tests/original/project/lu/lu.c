/*
 * A sweep in the manner of the NAS benchmark LU: a grid of UEs, each with a
 * block; values flow from north and west to south and east, a wavefront
 * through the grid for each plane. Sums over rows and columns of the grid
 * by communicators of their own; verified against the sweep on one core.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "RCCE.h"

#define N 24
#define PLANES 6
#define EPSILON 1.0e-8

static double u[PLANES][N + 1][N + 1], reference[PLANES][N + 1][N + 1];
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

static void sweep(double v[][N + 1][N + 1], int k, int i0, int i1, int j0,
                  int j1)
{
    int i, j;

    for (i = i0; i <= i1; i++)
        for (j = j0; j <= j1; j++)
            v[k][i][j] = 0.45 * v[k][i - 1][j] + 0.45 * v[k][i][j - 1] +
                         (k ? 0.1 * v[k - 1][i][j] : 0.1 * i * j);
}

static void edges(double v[][N + 1][N + 1])
{
    int k, i;

    for (k = 0; k < PLANES; k++)
        for (i = 0; i <= N; i++)
            v[k][i][0] = v[k][0][i] = 1.0 + i + k;
}

static void wavefront(int k, int i0, int i1, int j0, int j1, int me)
{
    double line[N];
    int i, n = i1 - i0 + 1;

    if (row > 0)
        RCCE_recv((char *)&u[k][i0 - 1][j0], (j1 - j0 + 1) * sizeof(double),
                  me - columns);
    if (column > 0) {
        RCCE_recv((char *)line, n * sizeof(double), me - 1);
        for (i = 0; i < n; i++)
            u[k][i0 + i][j0 - 1] = line[i];
    }
    sweep(u, k, i0, i1, j0, j1);
    if (row < rows - 1)
        RCCE_send((char *)&u[k][i1][j0], (j1 - j0 + 1) * sizeof(double),
                  me + columns);
    if (column < columns - 1) {
        for (i = 0; i < n; i++)
            line[i] = u[k][i0 + i][j1];
        RCCE_send((char *)line, n * sizeof(double), me + 1);
    }
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_COMM row_comm = {0}, column_comm = {0};
    double mine = 0.0, of_row, total, due = 0.0;
    int me, ues, k, i, j, i0, i1, j0, j1, size, rank;

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
    edges(reference);
    for (k = 0; k < PLANES; k++) {
        wavefront(k, i0, i1, j0, j1, me);
        sweep(reference, k, 1, N, 1, N);
    }
    for (i = i0; i <= i1; i++)
        for (j = j0; j <= j1; j++)
            mine += u[PLANES - 1][i][j];
    RCCE_allreduce((char *)&mine, (char *)&of_row, 1, RCCE_DOUBLE, RCCE_SUM,
                   row_comm);
    RCCE_allreduce((char *)&of_row, (char *)&total, 1, RCCE_DOUBLE, RCCE_SUM,
                   column_comm);
    for (i = 1; i <= N; i++)
        for (j = 1; j <= N; j++)
            due += reference[PLANES - 1][i][j];
    if (me == ues - 1)
        printf("lu: %s\n", fabs(total - due) <= EPSILON * due
                               ? "VERIFICATION SUCCESSFUL"
                               : "VERIFICATION FAILED");
    RCCE_finalize();
    return 0;
}
