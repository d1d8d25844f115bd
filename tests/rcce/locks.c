// 48 cores add to one uncached word under one test-and-set lock.
// run: -n 48 --tag none
// cc: -lrcce
// mutant: tas-does-not-clear
// expect-stdout:
// 480 additions under the lock
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    volatile int *sum = (volatile int *)RCCE_shmalloc(sizeof *sum);
    int keeper = RCCE_num_ues() - 1;

    for (int i = 0; i < 10; i++) {
        RCCE_acquire_lock(keeper);
        int seen = *sum;
        *sum = seen + 1;
        RCCE_release_lock(keeper);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        printf("%d additions under the lock\n", *sum);
    return RCCE_finalize();
}
