// UE 1 takes the lock of UE 0 and ends without giving it back.
// cc: -O2 -g -lrcce
// run: -n 3
// expect-exit: 75
// expect-stderr: lock-never-released: UEs 0 and 2 wait in RCCE_acquire_lock for the lock of UE 0, which UE 1 holds: UE 1 ended with exit code 0 at .* without releasing it
// expect-stderr: UE 2 \(core 02\) waits for UE 1: RCCE_acquire_lock, at main \(lock_never_released.c:23\), since \d
// expect-stderr: hint: release the lock on every way out

#include <unistd.h>

#include "RCCE.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 1)
        RCCE_acquire_lock(0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    /* Not RCCE_finalize, which frees the own lock only, but waits for all. */
    if (RCCE_ue() == 1)
        _exit(0);
    /* Both others wait here. */
    RCCE_acquire_lock(0);
    RCCE_release_lock(0);
    return 0;
}
