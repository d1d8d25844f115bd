// RCCE_shmalloc gives every UE the same place, RCCE_shfree gives it back,
// and what one writes the others read.
// run: -n 4 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// same place on all, data seen by all
// freed memory comes again, too much does not
#include "RCCE.h"

#include <stdint.h>

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue(), all = RCCE_num_ues(), wrong = 0, total;
    t_vcharp a = RCCE_shmalloc(100), b = RCCE_shmalloc(1 << 20);

    wrong += !a || !b || b - a != 128; /* whole lines */
    a[me] = (unsigned char)(me + 1);
    b[(1 << 20) - 1 - me] = (unsigned char)(me + 11);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int ue = 0; ue < all; ue++)
        wrong += a[ue] != ue + 1 || b[(1 << 20) - 1 - ue] != ue + 11;
    long place[2] = {(long)(uintptr_t)a, -(long)(uintptr_t)a}, widest[2];
    RCCE_reduce((char *)place, (char *)widest, 2, RCCE_LONG, RCCE_MIN, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        wrong += widest[0] != -widest[1];
    RCCE_reduce((char *)&wrong, (char *)&total, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0 && !total)
        puts("same place on all, data seen by all");

    RCCE_shfree(a);
    t_vcharp again = RCCE_shmalloc(128);
    t_vcharp more = RCCE_shmalloc(RCCE_SHM_SIZE_MAX);
    if (me == 0 && again == a && !more)
        puts("freed memory comes again, too much does not");
    return RCCE_finalize();
}
