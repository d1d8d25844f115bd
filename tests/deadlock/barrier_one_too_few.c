// UE 2 leaves the loop a round before the others: it comes to one barrier less.
// cc: -O2 -g -lrcce
// run: -n 4
// expect-exit: 75
// expect-stderr: unequal-barriers: RCCE_barrier of RCCE_COMM_WORLD \(4 members\): UEs 0, 1 and 3 wait, UE 2 did not come: UE 2 ended with exit code 0 at .* \(4 calls in RCCE_barrier against 3\)
// expect-stderr: UE 0 \(core 00\) waits for UE 2: RCCE_barrier, at main \(barrier_one_too_few.c:17\), since \d
// expect-stderr: hint: all members must call it equally often

#include "RCCE.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int rounds = RCCE_ue() == 2 ? 2 : 3;
    for (int round = 0; round < rounds; round++)
        /* Three of four are here. */
        RCCE_barrier(&RCCE_COMM_WORLD);
    return 0;
}
