/*
 * Two UEs send a message to and fro: the time of a round trip for growing
 * messages. Arguments: rounds, longest message in bytes.
 */
#include "RCCE.h"

#include <string.h>

#define MOST 65536

static char buffer[MOST];

int RCCE_APP(int argc, char **argv)
{
    int me, rounds = 10;
    size_t bytes, longest = 4096;

    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    if (argc > 1)
        rounds = atoi(argv[1]);
    if (argc > 2)
        longest = (size_t)atol(argv[2]);
    if (RCCE_num_ues() != 2 || rounds < 1 || longest > MOST) {
        printf("usage: pingpong [rounds [longest message]], two UEs\n");
        return 1;
    }
    for (bytes = 32; bytes <= longest; bytes *= 2) {
        double start = 0;
        /* Round -1 is not timed: it brings the buffer into the caches. */
        for (int round = -1; round < rounds; round++) {
            if (round == 0) {
                RCCE_barrier(&RCCE_COMM_WORLD);
                start = RCCE_wtime();
            }
            if (me == 0) {
                memset(buffer, round, bytes);
                RCCE_send(buffer, bytes, 1);
                RCCE_recv(buffer, bytes, 1);
            } else {
                RCCE_recv(buffer, bytes, 0);
                RCCE_send(buffer, bytes, 0);
            }
        }
        double seconds = (RCCE_wtime() - start) / rounds;
        if (me == 0)
            printf("%6lu bytes: %8.2f us, %6.1f MB/s\n", (unsigned long)bytes,
                   seconds * 1e6, 2 * (double)bytes / seconds / 1e6);
    }
    RCCE_finalize();
    return 0;
}
