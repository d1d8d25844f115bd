/*
 * lu_mpi.c: a dense system of equations by LU decomposition with partial
 * pivoting, as HPL solves it: blocks of the matrix go round a grid of processes
 * both ways. Panels are broadcast along rows of the grid, the rows above the
 * trailing matrix along columns. At its end it says how fast it was, and checks
 * the solution as HPL does: the residual in units of the machine's precision.
 * Arguments: the order, columns of a block, rows of the grid.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static int order, block, high, wide; /* the matrix, a block, the grid */
static int row, column;              /* this process in the grid */
static MPI_Comm along_row, along_column;
static double
    *mine; /* own rows of order + 1 columns, the last the right side */
static int rows, columns;

/* Blocks go round: which process of `count` has an index, and as its which. */
static int owner(int index, int count)
{
    return index / block % count;
}

static int place(int index, int count)
{
    return index / block / count * block + index % block;
}

/* Own indices below one of the whole matrix. */
static int below(int index, int me, int count)
{
    int whole = index / block, own = whole / count * block;

    if (whole % count > me)
        return own + block;
    return whole % count == me ? own + index % block : own;
}

static double *at(int own_row, int own_column)
{
    return mine + (size_t)own_row * (size_t)columns + own_column;
}

/* Number (i, j) of the system, the same on whichever process. */
static double element(int i, int j)
{
    unsigned x =
        (unsigned)i * 2654435761u ^ (unsigned)(j + 1) * 40503u * 65537u;

    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    return (x ^ x >> 16) / 4294967296.0 - 0.5;
}

static void fill(void)
{
    for (int i = 0; i < order; i++)
        for (int j = 0; j <= order; j++)
            if (owner(i, high) == row && owner(j, wide) == column)
                *at(place(i, high), place(j, wide)) = element(i, j);
}

/* The row whose number in this column is largest, from row k on. */
static int find_pivot(int k)
{
    struct {
        double size;
        int row;
    } own = {-1, k}, best;

    for (int i = k; i < order; i++)
        if (owner(i, high) == row) {
            double size = fabs(*at(place(i, high), place(k, wide)));
            if (size > own.size) {
                own.size = size;
                own.row = i;
            }
        }
    MPI_Allreduce(&own, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, along_column);
    return best.row;
}

/* Two rows change places, of them the own columns from..to-1. */
static void swap(int one, int other, int from, int to)
{
    int here = owner(one, high), there = owner(other, high);

    if (one == other || from >= to || (row != here && row != there))
        return;
    double *a = at(place(row == here ? one : other, high), from);
    if (here == there) {
        double *b = at(place(other, high), from);
        for (int n = 0; n < to - from; n++) {
            double kept = a[n];
            a[n] = b[n];
            b[n] = kept;
        }
        return;
    }
    MPI_Sendrecv_replace(a, to - from, MPI_DOUBLE, row == here ? there : here,
                         1, row == here ? there : here, 1, along_column,
                         MPI_STATUS_IGNORE);
}

/* The columns first..last-1, on the processes that have them. */
static void factor_panel(int first, int last, int *pivots)
{
    int from = place(first, wide), to = from + last - first;
    double top[to - from];

    for (int k = first; k < last; k++) {
        int c = place(k, wide), left = to - c;
        pivots[k - first] = find_pivot(k);
        swap(k, pivots[k - first], from, to);
        if (owner(k, high) == row)
            memcpy(top, at(place(k, high), c), sizeof *top * (size_t)left);
        MPI_Bcast(top, left, MPI_DOUBLE, owner(k, high), along_column);
        for (int i = below(k + 1, row, high); i < rows; i++) {
            double *line = at(i, c), factor = line[0] / top[0];
            line[0] = factor;
            for (int n = 1; n < left; n++)
                line[n] -= factor * top[n];
        }
    }
}

/* The rows first..last-1 right of the panel, where they are. */
static void solve_rows(int first, int last, int from, const double *panel)
{
    int top = place(first, high), count = last - first;

    for (int k = 0; k < count; k++)
        for (int i = k + 1; i < count; i++)
            for (int j = from; j < columns; j++)
                *at(top + i, j) -= panel[i * count + k] * *at(top + k, j);
}

/* What is left of the matrix: minus panel times rows. */
static void update(int from_row, int from, int count, const double *panel,
                   const double *upper)
{
    int width = columns - from;

    for (int i = from_row; i < rows; i++, panel += count)
        for (int k = 0; k < count; k++) {
            const double *line = upper + (size_t)k * (size_t)width;
            double factor = panel[k], *own = at(i, from);
            for (int j = 0; j < width; j++)
                own[j] -= factor * line[j];
        }
}

/* Copies own rows from `from_row` on, of them `count` numbers each. */
static void pack(double *to, int from_row, int to_row, int from, int count)
{
    for (int i = from_row; i < to_row; i++, to += count)
        memcpy(to, at(i, from), sizeof *to * (size_t)count);
}

static void step(int first, int *pivots, double *panel, double *upper)
{
    int last = first + block < order ? first + block : order;
    int count = last - first, has_panel = owner(first, wide) == column;
    int top = below(first, row, high), after = below(last, row, high);
    int from = below(last, column, wide);

    if (has_panel) {
        factor_panel(first, last, pivots);
        pack(panel, top, rows, place(first, wide), count);
    }
    MPI_Bcast(pivots, count, MPI_INT, owner(first, wide), along_row);
    MPI_Bcast(panel, (rows - top) * count, MPI_DOUBLE, owner(first, wide),
              along_row);
    for (int k = first; k < last; k++) {
        swap(k, pivots[k - first], 0, has_panel ? place(first, wide) : from);
        swap(k, pivots[k - first], from, columns);
    }
    if (owner(first, high) == row) {
        solve_rows(first, last, from, panel);
        pack(upper, top, after, from, columns - from);
    }
    MPI_Bcast(upper, count * (columns - from), MPI_DOUBLE, owner(first, high),
              along_column);
    update(after, from, count, panel + (after - top) * count, upper);
}

/* Back substitution, a number at a time; each process has all of x in the end.
 * Who has a column takes its share from the right side's own rows. */
static void substitute(double *x)
{
    double *sums = calloc((size_t)rows + 1, sizeof *sums);
    int right = place(order, wide), has_right = owner(order, wide) == column;

    for (int k = order - 1; k >= 0; k--) {
        double part[2] = {0, 0}, all[2];
        if (owner(k, high) == row) {
            part[0] = (has_right ? *at(place(k, high), right) : 0) -
                      sums[place(k, high)];
            if (owner(k, wide) == column)
                part[1] = *at(place(k, high), place(k, wide));
            MPI_Allreduce(part, all, 2, MPI_DOUBLE, MPI_SUM, along_row);
            x[k] = all[0] / all[1];
        }
        MPI_Bcast(&x[k], 1, MPI_DOUBLE, owner(k, high), along_column);
        if (owner(k, wide) == column)
            for (int i = 0; i < below(k, row, high); i++)
                sums[i] += *at(i, place(k, wide)) * x[k];
    }
    free(sums);
}

/* |Ax - b| / (eps (|A| |x| + |b|) n), largest sums of rows: HPL's measure. */
static double residual(const double *x)
{
    double norms[3] = {0, 0, 0}, all[3], size = 0; /* Ax - b, A, b */

    for (int i = 0; i < order; i++) {
        if (i % (high * wide) != row * wide + column)
            continue;
        double sum = -element(i, order), a = 0;
        for (int j = 0; j < order; j++) {
            sum += element(i, j) * x[j];
            a += fabs(element(i, j));
        }
        norms[0] = fmax(norms[0], fabs(sum));
        norms[1] = fmax(norms[1], a);
        norms[2] = fmax(norms[2], fabs(element(i, order)));
    }
    MPI_Allreduce(norms, all, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int k = 0; k < order; k++)
        size = fmax(size, fabs(x[k]));
    return all[0] / (DBL_EPSILON / 2 * (all[1] * size + all[2]) * order);
}

/* Grid and matrix; 0 if the arguments make no sense. */
static int set_up(int argc, char **argv, int rank, int size)
{
    order = argc > 1 ? atoi(argv[1]) : 192;
    block = argc > 2 ? atoi(argv[2]) : 16;
    high = argc > 3 ? atoi(argv[3]) : (int)sqrt(size);
    while (argc <= 3 && size % high)
        high--;
    if (order < 1 || block < 1 || high < 1 || size % high) {
        if (rank == 0)
            fprintf(stderr,
                    "lu_mpi: order, block and rows of the grid are 1 or "
                    "more, and %d ranks are rows of equal length\n",
                    size);
        return 0;
    }
    wide = size / high;
    row = rank / wide;
    column = rank % wide;
    MPI_Comm_split(MPI_COMM_WORLD, row, column, &along_row);
    MPI_Comm_split(MPI_COMM_WORLD, column, row, &along_column);
    rows = below(order, row, high);
    columns = below(order + 1, column, wide);
    mine = calloc((size_t)rows * (size_t)columns + 1, sizeof *mine);
    return 1;
}

int main(int argc, char **argv)
{
    int rank, size, good = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (set_up(argc, argv, rank, size)) {
        int *pivots = calloc((size_t)block, sizeof *pivots);
        double *panel =
            calloc((size_t)(rows + 1) * (size_t)block, sizeof *panel);
        double *upper =
            calloc((size_t)(columns + 1) * (size_t)block, sizeof *upper);
        double *x = calloc((size_t)order, sizeof *x), n = order;
        fill();
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        for (int first = 0; first < order; first += block)
            step(first, pivots, panel, upper);
        substitute(x);
        double seconds = MPI_Wtime() - start, rest = residual(x);
        good = rest < 16;
        if (rank == 0)
            printf("lu: order %d, blocks of %d, %d x %d ranks: %.2f ms, %.1f "
                   "MFlop/s, residual %.3f: %s\n",
                   order, block, high, wide, seconds * 1e3,
                   (2 * n * n * n / 3 + 3 * n * n / 2) / seconds / 1e6, rest,
                   good ? "passed" : "FAILED");
    }
    MPI_Finalize();
    return !good;
}
