/*
 * Two cores share a line of memory that both may cache. Nothing keeps the
 * copies equal: each core sees its own until somebody flushes.
 */
#include "RCCE.h"

#include <fcntl.h>
#include <sys/mman.h>

/* Shared DRAM behind the 32 MB that RCCE_shmalloc would hand out first. */
#define SHARED 0x82000000u

static volatile int *cached;

static void tell(const char *when)
{
    printf("%s: core 0 sees %d\n", when, *cached);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int fd = open("/dev/rckdcm", O_RDWR | O_SYNC);
    cached =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)SHARED);
    int first = *cached; /* both cores have the line in L1 and L2 now */
    RCCE_barrier(&RCCE_COMM_WORLD);

    if (RCCE_ue() == 1)
        *cached = first + 42;
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        tell("core 1 has stored 42");
    RCCE_barrier(&RCCE_COMM_WORLD);

    if (RCCE_ue() == 1)
        RCCE_DCMflush();
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0) {
        tell("core 1 has flushed  ");
        RCCE_DCMflush();
        tell("core 0 has flushed  ");
    }
    return RCCE_finalize();
}
