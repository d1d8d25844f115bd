// Requests that are copied into an array, empty messages, pairs that are received as two numbers,
// functions whose names begin like MPI's, a call on a stack of its own. run: -n 2
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t before, inside;
static int summed;

static int copied_requests(int rank)
{
    int values[4] = {0, 0, 10 * rank, 10 * rank + 1}, n = 0;
    MPI_Request request, all[4];

    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&values[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD,
                  &request);
        all[n++] = request;
    }
    for (int i = 0; i < 2; i++) {
        MPI_Isend(&values[2 + i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD,
                  &request);
        all[n++] = request;
    }
    MPI_Waitall(n, all, MPI_STATUSES_IGNORE);
    return values[1] != 10 * (1 - rank) + 1;
}

static int other_types(int rank)
{
    struct {
        int a, b;
    } pair = {1, 2};
    int two[2] = {1, 2};
    double nothing;

    if (rank == 0) {
        MPI_Send(NULL, 0, MPI_INT, 1, 7, MPI_COMM_WORLD);
        MPI_Send(&pair, 1, MPI_2INT, 1, 8, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&nothing, 1, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Recv(two, 2, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return two[1] != 2;
}

static __attribute__((noinline)) void MPI_of_the_root(int *value)
{
    *value = 5;
    MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    summed = 0; /* the call above is no jump */
}

static int own_names(int rank)
{
    int value = 0;

    if (rank == 0)
        MPI_of_the_root(&value);
    else
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value != 5;
}

static void sum(void)
{
    int one = 1;

    MPI_Allreduce(&one, &summed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int own_stack(void)
{
    getcontext(&inside);
    inside.uc_stack.ss_sp = malloc(65536);
    inside.uc_stack.ss_size = 65536;
    inside.uc_link = &before;
    makecontext(&inside, sum, 0);
    swapcontext(&before, &inside);
    free(inside.uc_stack.ss_sp);
    return summed != 2;
}

int main(int argc, char **argv)
{
    int rank, wrong;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wrong = copied_requests(rank) + other_types(rank) + own_names(rank) +
            own_stack();
    if (rank == 0)
        printf("habits: %d wrong\n", wrong);
    MPI_Finalize();
    return wrong;
}
