// Windows: fence with put and get, accumulate, locks with fetch and op,
// post-start-complete-wait. run: -n 4
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, got = -1, one = 1, ticket = -1, wrong = 0, all, *memory;
    MPI_Win window;
    MPI_Group world, next, before;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &window);
    for (int n = 0; n < 4; n++)
        memory[n] = 0;
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    wrong += memory[0] != (rank + size - 1) % size;
    MPI_Get(&got, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    wrong += got != rank || (rank == 0 && memory[1] != size);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 2, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    wrong += ticket < 0 || ticket >= size;
    MPI_Win_lock_all(0, window);
    int expected = 0, old;
    MPI_Compare_and_swap(&rank, &expected, &old, MPI_INT, (rank + 1) % size, 3,
                         window);
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong += old != 0 || memory[3] != (rank + size - 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int after = (rank + 1) % size, prior = (rank + size - 1) % size;
    MPI_Group_incl(world, 1, &after, &next);
    MPI_Group_incl(world, 1, &prior, &before);
    MPI_Win_post(before, 0, window);
    MPI_Win_start(next, 0, window);
    MPI_Put(&size, 1, MPI_INT, after, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    wrong += memory[0] != size;
    MPI_Win_free(&window);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("onesided: %d wrong\n", all);
    MPI_Finalize();
    return 0;
}
