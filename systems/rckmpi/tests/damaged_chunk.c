// The channel `bells` adds up a general purpose section while it is taken: a
// bit that flips there is found before the message is done, and all end.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none
// expect-exit: 70
// expect-stderr: rckmpi: message 1 from core 0 to rank 1 \(core 1\) is damaged: checksum [0-9a-f]+, its metadata say [0-9a-f]+
#include "SCC_API.h"
#include "rckmpi.h"

#define GENERAL 3072 /* where the section begins */

static char packet[300], got[300];

static void flip_and_take(void)
{
    volatile unsigned char *sender;

    MPBalloc(&sender, 0, 0, 0, 0);
    do
        rckmpi_round();
    while (!(rckmpi_look(0) & RCKMPI_ARRIVED));
    sender[GENERAL + 133] ^= 1;
    sender[8191] = 0;
    rckmpi_round();
    rckmpi_receive(0, got, rckmpi_arrived(0));
}

int main(void)
{
    struct iovec part = {packet, sizeof packet};
    int rank, size;

    rckmpi_open("bells");
    rckmpi_job(&rank, &size);
    if (rank == 0)
        rckmpi_send(1, &part, 1);
    if (rank == 1)
        flip_and_take();
    for (;;)
        rckmpi_round();
}
