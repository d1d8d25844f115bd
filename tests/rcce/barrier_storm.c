// 48 cores, 100 barriers: nobody leaves one before all have come.
// run: -n 48 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// 100 barriers held
#include "RCCE.h"

#define BARRIERS 100

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue(), all = RCCE_num_ues(), early = 0;
    /* Uncached: one word a UE, on a line of its own. */
    volatile int *arrived = (volatile int *)RCCE_shmalloc(48 * 32);

    for (int barrier = 1; barrier <= BARRIERS; barrier++) {
        /* Uneven work, so that UEs arrive in changing order. */
        for (volatile int i = (me * 7 + barrier * 13) % 50; i > 0; i--)
            ;
        arrived[8 * me] = barrier;
        RCCE_barrier(&RCCE_COMM_WORLD);
        int other = (me + barrier) % all;
        early += arrived[8 * other] < barrier;
    }
    int total;
    RCCE_reduce((char *)&early, (char *)&total, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d barriers %s\n", BARRIERS, total ? "broke" : "held");
    return RCCE_finalize();
}
