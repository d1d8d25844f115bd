/* Messages between the first and the last UE, doubling in size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "RCCE.h"

#define MAXBUF 16384

static char buffer[MAXBUF] __attribute__((aligned(32)));

int RCCE_APP(int argc, char **argv)
{
    int me, other, rounds, size, round, bad = 0;
    double start, seconds = 0.0;

    RCCE_init(&argc, &argv);
    if (argc != 2) {
        if (RCCE_ue() == 0)
            printf("usage: pingpong ROUNDS\n");
        return 1;
    }
    rounds = atoi(*++argv);
    me = RCCE_ue();
    other = RCCE_num_ues() - 1;
    for (size = 1; size <= MAXBUF; size *= 4) {
        RCCE_barrier(&RCCE_COMM_WORLD);
        start = RCCE_wtime();
        for (round = 0; round < rounds; round++) {
            if (me == 0) {
                memset(buffer, round + size % 127, size);
                RCCE_send(buffer, size, other);
                RCCE_recv(buffer, size, other);
                bad += buffer[size - 1] != (char)(round + size % 127);
            } else if (me == other) {
                RCCE_recv(buffer, size, 0);
                RCCE_send(buffer, size, 0);
            }
        }
        seconds += RCCE_wtime() - start;
    }
    if (me == 0)
        printf("pingpong: %s, time %s\n", bad ? "FAILED" : "passed",
               seconds > 0.0 ? "passes" : "stands still");
    RCCE_finalize();
    return 0;
}
