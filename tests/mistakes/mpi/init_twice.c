// MPI_Init is called twice.
// cc: -O1 -g
// mpi: yes
// run: -n 2
// expect-exit: 15
// expect-stderr: MPI_Init failed at main \(init_twice\.c:16\): MPI was initialised before
// expect-stderr: hint: call MPI_Init once

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#ifndef MENDED
    MPI_Init(&argc, &argv);
#endif
    MPI_Finalize();
    return 0;
}
