// Derived types: contiguous, vector, indexed, struct, resized, subarray,
// pack and unpack. run: -n 2
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct particle {
    double place[3];
    int kind;
    char name[4];
};

int main(int argc, char **argv)
{
    int rank, wrong = 0, column[4] = {0}, matrix[4][4], position = 0, size;
    struct particle one = {{1, 2, 3}, 7, "abc"}, two[2] = {0};
    MPI_Datatype vector, shape, record, block, list;
    MPI_Status status;
    char packed[100];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int n = 0; n < 16; n++)
        matrix[n / 4][n % 4] = n;
    MPI_Type_vector(4, 1, 4, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    int lengths[] = {3, 1, 4};
    MPI_Aint offsets[] = {offsetof(struct particle, place),
                          offsetof(struct particle, kind),
                          offsetof(struct particle, name)};
    MPI_Datatype kinds[] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
    MPI_Type_create_struct(3, lengths, offsets, kinds, &shape);
    MPI_Type_create_resized(shape, 0, sizeof(struct particle), &record);
    MPI_Type_commit(&record);
    int sizes[] = {4, 4}, parts[] = {2, 2}, starts[] = {1, 1};
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT,
                             &block);
    MPI_Type_commit(&block);
    int runs[] = {1, 2}, places[] = {0, 5};
    MPI_Type_indexed(2, runs, places, MPI_INT, &list);
    MPI_Type_commit(&list);
    MPI_Type_size(list, &size);
    wrong += size != 12;
    if (rank == 0) {
        struct particle pair[2] = {one, one};
        MPI_Send(&matrix[0][2], 1, vector, 1, 0, MPI_COMM_WORLD);
        MPI_Send(pair, 2, record, 1, 1, MPI_COMM_WORLD);
        MPI_Send(matrix, 1, block, 1, 2, MPI_COMM_WORLD);
        MPI_Send(matrix, 1, list, 1, 3, MPI_COMM_WORLD);
        MPI_Pack(&rank, 1, MPI_INT, packed, 100, &position, MPI_COMM_WORLD);
        MPI_Pack(one.place, 3, MPI_DOUBLE, packed, 100, &position,
                 MPI_COMM_WORLD);
        MPI_Send(packed, position, MPI_PACKED, 1, 4, MPI_COMM_WORLD);
    } else {
        int from = 5, got[4], three[3];
        double place[3];
        MPI_Recv(column, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        for (int n = 0; n < 4; n++)
            wrong += column[n] != 4 * n + 2;
        MPI_Recv(two, 2, record, 0, 1, MPI_COMM_WORLD, &status);
        wrong += two[1].place[2] != 3 || two[1].kind != 7 ||
                 strcmp(two[0].name, "abc") != 0;
        MPI_Recv(got, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
        wrong += got[0] != 5 || got[3] != 10;
        MPI_Recv(three, 3, MPI_INT, 0, 3, MPI_COMM_WORLD, &status);
        wrong += three[0] != 0 || three[1] != 5 || three[2] != 6;
        MPI_Recv(packed, 100, MPI_PACKED, 0, 4, MPI_COMM_WORLD, &status);
        MPI_Unpack(packed, 100, &position, &from, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(packed, 100, &position, place, 3, MPI_DOUBLE,
                   MPI_COMM_WORLD);
        wrong += from != 0 || place[1] != 2;
        printf("types: %d wrong\n", wrong);
    }
    MPI_Finalize();
    return 0;
}
