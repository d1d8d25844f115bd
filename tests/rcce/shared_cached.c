// SHMADD_CACHEABLE: shared memory is cached, and stale until RCCE_shflush.
// run: -n 2 --tag none
// cc: -DSHMADD_CACHEABLE -lrcce
// expect-stdout:
// 1 before the flushes, 2 after them
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    volatile int *word = (volatile int *)RCCE_shmalloc(64);
    if (me == 0) {
        *word = 1;
        RCCE_shflush();
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    int before = *word; /* both have the line now */
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        *word = 2; /* hits in L1 and stays there */
    RCCE_barrier(&RCCE_COMM_WORLD);
    before = *word;
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_shflush(); /* core 0 writes back ... */
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_shflush(); /* ... before core 1 forgets what it fetched meanwhile */
    if (me == 1)
        printf("%d before the flushes, %d after them\n", before, *word);
    return RCCE_finalize();
}
