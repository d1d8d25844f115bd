/*
 * file_mpi.c: all ranks write one matrix to a file of the shared folder, each
 * its columns, in one collective call, and read it by rows. Arguments: file,
 * columns a rank.
 */
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

static int rank, size;

static void fail(const char *what, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    MPI_Error_string(code, text, &length);
    fprintf(stderr, "file: %s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Columns are a subarray of the file: every rank's view of it. */
static void write_columns(MPI_File file, int rows, int columns)
{
    int whole[2] = {rows, columns * size}, part[2] = {rows, columns};
    int start[2] = {0, columns * rank};
    MPI_Datatype view;

    int *values = malloc(sizeof(int) * (size_t)rows * (size_t)columns);
    for (int row = 0; row < rows; row++)
        for (int n = 0; n < columns; n++)
            values[row * columns + n] = row * whole[1] + start[1] + n;
    MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_INT,
                             &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL);
    int code = MPI_File_write_all(file, values, rows * columns, MPI_INT,
                                  MPI_STATUS_IGNORE);
    if (code)
        fail("writing", code);
    MPI_Type_free(&view);
    free(values);
}

static int read_rows(MPI_File file, int rows, int columns)
{
    int width = columns * size, wrong = 0;
    int *values = malloc(sizeof(int) * (size_t)width);

    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    for (int row = rank; row < rows; row += size) {
        int code = MPI_File_read_at(file, (MPI_Offset)row * width, values,
                                    width, MPI_INT, MPI_STATUS_IGNORE);
        if (code)
            fail("reading", code);
        for (int n = 0; n < width; n++)
            wrong += values[n] != row * width + n;
    }
    free(values);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "matrix.bin";
    int columns = argc > 2 ? atoi(argv[2]) : 8, rows = 16, all;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int code =
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
                      MPI_INFO_NULL, &file);
    if (code)
        fail(name, code);
    write_columns(file, rows, columns);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    int wrong = read_rows(file, rows, columns);
    MPI_File_close(&file);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("file: %d x %d numbers by %d ranks: %d wrong\n", rows,
               columns * size, size, all);
    MPI_Finalize();
    return wrong != 0;
}
