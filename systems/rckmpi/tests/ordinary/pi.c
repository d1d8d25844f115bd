// The area under 4/(1+x*x), summed by all ranks. run: -n 4
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, steps = 1000;
    double part = 0, pi;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int n = rank; n < steps; n += size) {
        double x = (n + 0.5) / steps;
        part += 4 / (1 + x * x) / steps;
    }
    MPI_Reduce(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("pi: %s\n", fabs(pi - 3.14159265) < 1e-6 ? "fine" : "wrong");
    MPI_Finalize();
    return 0;
}
