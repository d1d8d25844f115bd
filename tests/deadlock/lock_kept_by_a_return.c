// UE 0 returns early and keeps the lock; then it waits for UE 1, which wants it.
// cc: -O2 -g -lrcce
// run: -n 2 --until 2ms
// expect-stderr: wait-cycle: 2 UEs wait for each other: UE 0 -> UE 1 -> UE 0
// expect-stderr: lock-held: UE 1 waits in RCCE_acquire_lock for the lock of UE 0, which UE 0 holds: UE 0 waits in RCCE_barrier at main \(lock_kept_by_a_return.c:30\)

#include "RCCE.h"

static int work_left;

static int take(void)
{
    RCCE_acquire_lock(0);
    if (work_left == 0)
        return -1;
    work_left--;
    RCCE_release_lock(0);
    return 0;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        take();
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 1)
        take();
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
