// RCCE_DCMflush makes cached shared memory visible: the writer's flush takes
// it to memory, the reader's flush drops the old copy.
// run: -n 2 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// writer flushed: still old here
// both flushed: new
#include "RCCE.h"

#include <fcntl.h>
#include <sys/mman.h>

/* The second half of the 64 MB; RCCE_shmalloc begins at the first. */
#define PLACE 0x82000000u

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    int fd = open("/dev/rckdcm", O_RDWR | O_SYNC);
    volatile int *cached =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)PLACE);
    if (cached == MAP_FAILED)
        return 2;
    int old = cached[0]; /* both hold the line now */
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 1) {
        cached[0] = 99;
        RCCE_DCMflush();
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0) {
        if (old == 0 && cached[0] == 0)
            puts("writer flushed: still old here");
        RCCE_DCMflush();
        if (cached[0] == 99)
            puts("both flushed: new");
    }
    RCCE_shflush();
    return RCCE_finalize();
}
