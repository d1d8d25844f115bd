// A UE releases a lock that another UE holds.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 01: RCCE_release_lock failed at main \(lock_not_held\.c:21\): the caller does not hold the lock
// expect-stderr: hint: who acquires a lock releases it, once

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue();
    if (me == 0)
        RCCE_acquire_lock(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
#ifndef MENDED
    if (me == 1)
        RCCE_release_lock(0);
#endif
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        RCCE_release_lock(0);
    RCCE_finalize();
    return 0;
}
