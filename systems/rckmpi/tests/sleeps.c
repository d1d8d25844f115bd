// A rank that waits by interrupt does not poll meanwhile: in 2 ms it goes
// through few rounds. A rank that dies wakes those that sleep.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none --env RCKMPI_WAIT=interrupts
// expect-stdout:
// rank 1 got 5 in few rounds
// expect-exit: 1
// expect-stderr: rckmpi: rank 0 \(core 0\) ended without MPI_Finalize; so all others end
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rckmpi.h"

static void wait_for_message(void)
{
    int rounds = 0;

    for (;; rounds++) {
        rckmpi_round();
        if (rckmpi_look(0) & RCKMPI_ARRIVED)
            break;
        rckmpi_rest();
    }
    char got[8];
    int bytes = (int)rckmpi_arrived(0);
    rckmpi_receive(0, got, (size_t)bytes);
    printf("rank 1 got %d in %s rounds\n", bytes,
           rounds < 100 ? "few" : "many");
    fflush(stdout);
}

int main(void)
{
    static char packet[] = "five";
    struct iovec part = {packet, sizeof packet};
    int rank, size;

    rckmpi_open("improved");
    rckmpi_job(&rank, &size);
    rckmpi_guard();
    if (rank == 0) {
        usleep(2000);
        rckmpi_send(1, &part, 1);
        usleep(1000);
        exit(0);
    }
    if (rank == 1)
        wait_for_message();
    for (;;) {
        rckmpi_round();
        rckmpi_rest();
    }
}
