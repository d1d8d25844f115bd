// A graph of neighbours, each with its own number of edges. run: -n 4
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, into, out, weighted, got[4], sources[4];
    MPI_Comm star;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* Everybody sends to rank 0; rank 0 sends to rank 1. */
    int from[] = {1, 2, 3}, one = 1, zero = 0;
    int degree = rank == 0 ? 3 : rank == 1 ? 1 : 0;
    MPI_Dist_graph_create_adjacent(
        MPI_COMM_WORLD, degree, rank == 0 ? from : &zero, MPI_UNWEIGHTED, 1,
        rank == 0 ? &one : &zero, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
    MPI_Dist_graph_neighbors_count(star, &into, &out, &weighted);
    wrong += into != degree || out != 1 || weighted;
    MPI_Dist_graph_neighbors(star, into, sources, MPI_UNWEIGHTED, out, got,
                             MPI_UNWEIGHTED);
    int mine = 7 * rank;
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, got, 1, MPI_INT, star);
    for (int n = 0; n < into; n++)
        wrong += got[n] != 7 * sources[n];
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("graph: %d wrong\n", wrong);
    MPI_Finalize();
    return 0;
}
