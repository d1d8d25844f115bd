// A rank that ends without a word, or dies, ends the job: nobody hangs.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none
// expect-exit: 1
// expect-stderr: rckmpi: rank 2 \(core 2\) ended without MPI_Finalize; so all others end
#include <stdlib.h>

#include "rckmpi.h"

int main(void)
{
    int rank, size;

    rckmpi_open(NULL);
    rckmpi_job(&rank, &size);
    rckmpi_guard();
    if (rank == 2)
        exit(0);
    for (;;)
        rckmpi_round();
}
