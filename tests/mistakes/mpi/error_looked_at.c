// The program asks for errors and looks at each: nothing is reported, as in its MENDED form.
// cc: -O1 -g
// mpi: yes
// run: -n 2 -q
// expect-match: ^.0[01]. refused$

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Send(&value, 1, MPI_INT, 77, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
        printf("refused\n");
    MPI_Finalize();
    return 0;
}
