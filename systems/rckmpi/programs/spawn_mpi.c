/*
 * spawn_mpi.c: one process starts N others of this program (default: all that
 * the universe still has), speaks with each, and parts from them, so often.
 * Arguments: N, rounds; their cores are used again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

/* Both sides: everybody's number in the merged group, added up. */
static int count_all(MPI_Comm others, int high, int *size)
{
    MPI_Comm all;
    int rank, sum;

    MPI_Intercomm_merge(others, high, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
    MPI_Comm_free(&all);
    return sum;
}

static int child(MPI_Comm parent, int argc, char **argv)
{
    int rank, told, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(&told, 1, MPI_INT, 0, 7, parent, MPI_STATUS_IGNORE);
    told = argc == 3 && strcmp(argv[2], "words") == 0 ? 2 * told : -1;
    MPI_Send(&told, 1, MPI_INT, 0, 8, parent);
    count_all(parent, 1, &size);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}

/* The universe's size without this process. */
static int others(void)
{
    int *universe, known;

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &known);
    return known ? *universe - 1 : 0;
}

/* Starts so many, speaks with each, and parts; whether all was right. */
static int start(int count)
{
    char *words[] = {"two", "words", NULL};
    int wrong = 0, size;
    MPI_Comm children;

    double start = MPI_Wtime();
    MPI_Comm_spawn("spawn", words, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                   &children, MPI_ERRCODES_IGNORE);
    double spawned = MPI_Wtime();
    for (int n = 0; n < count; n++)
        MPI_Send(&n, 1, MPI_INT, n, 7, children);
    for (int n = 0; n < count; n++) {
        int answer;
        MPI_Recv(&answer, 1, MPI_INT, n, 8, children, MPI_STATUS_IGNORE);
        wrong += answer != 2 * n;
    }
    int sum = count_all(children, 0, &size);
    MPI_Comm_disconnect(&children);
    printf("spawned %d in %.0f ms: %d wrong answers, %d together, sum %d\n",
           count, (spawned - start) * 1e3, wrong, size, sum);
    return wrong == 0 && sum == (count + 1) * count / 2;
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int right = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        return child(parent, argc, argv);
    int count = argc > 1 ? atoi(argv[1]) : others();
    int rounds = argc > 2 ? atoi(argv[2]) : 1;
    for (int round = 0; round < rounds; round++)
        right &= start(count);
    MPI_Finalize();
    return !right;
}
