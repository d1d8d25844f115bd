// The program acquires the lock of a UE beyond the last one.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_acquire_lock failed at main \(lock_of_nobody\.c:19\): no such UE; the program did not look at the error that it returned
// expect-stderr: hint: UEs are 0 to RCCE_num_ues\(\) - 1

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifdef MENDED
    RCCE_acquire_lock(0);
    RCCE_release_lock(0);
#else
    RCCE_acquire_lock(RCCE_num_ues());
    RCCE_release_lock(RCCE_num_ues());
#endif
    RCCE_finalize();
    return 0;
}
