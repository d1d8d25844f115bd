// A rank ends without a word. Another one has started a job that is not yet
// connected, and which the first one does not know: it ends as well.
// cc: -O2 -Wl,--wrap=main,--wrap=exit -lrckmpi -lrcce
// run: -n 2 --reserve 2-3 --tag none --env RCKMPI_UNIVERSE=0-3 --env RCKMPI_LAUNCHED=0-1 --env RCKMPI_PROGRAMS=started_died
// expect-exit: 1
// expect-match: rank 0 of 2 was started\n(.*\n)?rank 1 of 2 was started|rank 1 of 2 was started\n(.*\n)?rank 0 of 2 was started
// expect-stderr: rckmpi: rank 1 \(core 1\) ended without MPI_Finalize; so all others end
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rckmpi.h"

int main(void)
{
    struct rckmpi_program program = {"./started_died", NULL, 2, NULL};
    char port[100];
    int rank, size;

    rckmpi_open(NULL);
    rckmpi_job(&rank, &size);
    rckmpi_guard();
    if (rckmpi_parent_port(port, sizeof port)) {
        printf("rank %d of %d was started\n", rank, size);
        fflush(stdout);
    } else if (rank == 1) {
        usleep(100000);
        exit(0);
    } else if (!rckmpi_start(&program, 1, "door")) {
        exit(2);
    }
    for (;;)
        rckmpi_round();
}
