// A rod, warm at one end: neighbours exchange ends. run: -n 5
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#define CELLS 8

int main(int argc, char **argv)
{
    double now[CELLS + 2] = {0}, next[CELLS + 2] = {0}, change = 1, all;
    int rank, size, steps = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (all = 1; all > 1e-3; steps++) {
        if (rank == 0)
            now[0] = 100;
        MPI_Request requests[4];
        MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Irecv(&now[CELLS + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                  &requests[1]);
        MPI_Isend(&now[CELLS], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                  &requests[2]);
        MPI_Isend(&now[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                  &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        change = 0;
        for (int n = 1; n <= CELLS; n++) {
            next[n] = now[n] + 0.4 * (now[n - 1] - 2 * now[n] + now[n + 1]);
            change = fmax(change, fabs(next[n] - now[n]));
        }
        for (int n = 1; n <= CELLS; n++)
            now[n] = next[n];
        MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (steps == 200)
            break;
    }
    if (rank == 0)
        printf("heat: %d steps, %.1f beside the warm end\n", steps, now[1]);
    MPI_Finalize();
    return 0;
}
