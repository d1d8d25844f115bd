// A bit that flips in a message buffer while a message is there is found by
// the checksum, and all ranks end.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none
// expect-exit: 70
// expect-stderr: rckmpi: message 1 from core 0 to rank 1 \(core 1\) is damaged: checksum [0-9a-f]{4}, its metadata say [0-9a-f]{4}
#include "SCC_API.h"
#include "rckmpi.h"

int main(void)
{
    static char packet[300];
    struct iovec part = {packet, sizeof packet};
    volatile unsigned char *mpb;
    int rank, size;

    rckmpi_open("improved");
    rckmpi_job(&rank, &size);
    if (rank == 0)
        rckmpi_send(1, &part, 1);
    if (rank == 1) {
        MPBalloc(&mpb, 0, 0, 1, 0);
        /* Rank 0's section is the first; its last two bytes are the number of
         * the message, the payload follows. */
        do
            rckmpi_round();
        while (mpb[14] == 0);
        mpb[16 + 32] ^= 8;
        mpb[8191] = 0;
    }
    for (;;) {
        rckmpi_round();
        for (int peer = 0; peer < size; peer++)
            if (peer != rank)
                rckmpi_look(peer);
    }
}
