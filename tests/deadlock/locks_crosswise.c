// Two take two locks in different orders.
// cc: -O2 -g -lrcce_sync -lircce -lrcce
// run: -n 2 --until 2ms
// expect-stderr: lock-cycle: 2 UEs each hold a lock that the one before wants: UE 0 -> UE 1 -> UE 0
// expect-stderr: UE 0 \(core 00\) waits for UE 1: RCCE_backoff_lock, at main
// expect-stderr: UE 1 \(core 01\) waits for UE 0: RCCE_acquire_lock, at main

#include "RCCE_sync.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int ue = RCCE_ue();
    RCCE_acquire_lock(ue);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (ue == 0)
        RCCE_backoff_lock(1);
    else
        RCCE_acquire_lock(0);
    RCCE_release_lock(!ue);
    RCCE_release_lock(ue);
    return RCCE_finalize();
}
