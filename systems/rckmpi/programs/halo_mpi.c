/*
 * halo_mpi.c: Jacobi's iteration on a square, cut into blocks by a Cartesian
 * communicator. Edges go by persistent requests, columns as a vector type.
 * The sum of all points is compared with that of one process. Arguments:
 * points a side, iterations.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

static int side, iterations;

struct block {
    int rows, columns; /* without the edge */
    int row, column;   /* of its first point */
    double *now, *next;
};

static double *at(const struct block *block, double *points, int row,
                  int column)
{
    return points + row * (block->columns + 2) + column;
}

static double start_value(int row, int column)
{
    return row == 0 ? 100.0 : column == 0 ? 50.0 : (row * 7 + column * 3) % 11;
}

static void make_block(struct block *block, const int *parts, const int *place)
{
    block->row = side * place[0] / parts[0];
    block->column = side * place[1] / parts[1];
    block->rows = side * (place[0] + 1) / parts[0] - block->row;
    block->columns = side * (place[1] + 1) / parts[1] - block->column;
    size_t points = (size_t)(block->rows + 2) * (size_t)(block->columns + 2);
    block->now = calloc(points, sizeof(double));
    block->next = calloc(points, sizeof(double));
    for (int row = 1; row <= block->rows; row++)
        for (int column = 1; column <= block->columns; column++)
            *at(block, block->now, row, column) =
                start_value(block->row + row - 1, block->column + column - 1);
}

/* Points of the square's edge stay as they are. */
static void step(struct block *block)
{
    for (int row = 1; row <= block->rows; row++)
        for (int column = 1; column <= block->columns; column++) {
            int r = block->row + row - 1, c = block->column + column - 1;
            double *p = at(block, block->now, row, column);
            int width = block->columns + 2;
            int fixed = r == 0 || c == 0 || r == side - 1 || c == side - 1;
            *at(block, block->next, row, column) =
                fixed ? *p : (p[-1] + p[1] + p[-width] + p[width]) / 4;
        }
    double *points = block->now;
    block->now = block->next;
    block->next = points;
}

/* Sends and receives of all four edges of one of the two arrays. */
static void make_requests(const struct block *block, double *points,
                          MPI_Comm grid, MPI_Request *all)
{
    MPI_Datatype column;
    int up, down, left, right;
    int rows = block->rows, columns = block->columns;

    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
    MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
#define EDGE(what, row, col, count, type, to, tag)                             \
    MPI_##what##_init(at(block, points, row, col), count, type, to, tag, grid, \
                      all++)
    EDGE(Send, 1, 1, columns, MPI_DOUBLE, up, 1);
    EDGE(Recv, rows + 1, 1, columns, MPI_DOUBLE, down, 1);
    EDGE(Send, rows, 1, columns, MPI_DOUBLE, down, 2);
    EDGE(Recv, 0, 1, columns, MPI_DOUBLE, up, 2);
    EDGE(Send, 1, 1, 1, column, left, 3);
    EDGE(Recv, 1, columns + 1, 1, column, right, 3);
    EDGE(Send, 1, columns, 1, column, right, 4);
    EDGE(Recv, 1, 0, 1, column, left, 4);
#undef EDGE
    MPI_Type_free(&column);
}

static double sum(struct block *block)
{
    double total = 0;

    for (int row = 1; row <= block->rows; row++)
        for (int column = 1; column <= block->columns; column++)
            total += *at(block, block->now, row, column);
    return total;
}

static double alone(void)
{
    struct block whole;
    int one[2] = {1, 1}, none[2] = {0, 0};

    make_block(&whole, one, none);
    for (int n = 0; n < iterations; n++)
        step(&whole);
    return sum(&whole);
}

int main(int argc, char **argv)
{
    MPI_Comm grid;
    MPI_Request all[2][8];
    struct block block;
    int size, rank, parts[2] = {0, 0}, place[2], round[2] = {0, 0};

    MPI_Init(&argc, &argv);
    side = argc > 1 ? atoi(argv[1]) : 96;
    iterations = argc > 2 ? atoi(argv[2]) : 20;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, parts);
    MPI_Cart_create(MPI_COMM_WORLD, 2, parts, round, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, place);
    make_block(&block, parts, place);
    make_requests(&block, block.now, grid, all[0]);
    make_requests(&block, block.next, grid, all[1]);
    double start = MPI_Wtime();
    for (int n = 0; n < iterations; n++) {
        MPI_Startall(8, all[n % 2]);
        MPI_Waitall(8, all[n % 2], MPI_STATUSES_IGNORE);
        step(&block);
    }
    double ms = (MPI_Wtime() - start) * 1e3, own = sum(&block), total = 0;
    MPI_Reduce(&own, &total, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
    for (int n = 0; n < 16; n++)
        MPI_Request_free(&all[n / 8][n % 8]);
    int wrong = 0;
    if (rank == 0) {
        wrong = fabs(total - alone()) > 1e-9 * fabs(total);
        printf("halo: %d x %d points on %d x %d ranks, %d iterations in %.2f "
               "ms: %s\n",
               side, side, parts[0], parts[1], iterations, ms,
               wrong ? "WRONG" : "as one process");
    }
    MPI_Finalize();
    return wrong;
}
