/* A lock orders the cores, but it carries no data: caches are flushed by hand.
 */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *lock = map(UNCACHED, LOCK_0) + 0x200 / 4;
    word *count = map(CACHED, SHARED);
    for (int n = 0; n < 3; n++) {
        while (!(*lock & 1))
            ;
#ifdef MENDED
        RCCE_DCMflush();
#endif
        *count += 1;
#ifdef MENDED
        RCCE_DCMflush();
#endif
        *lock = 0;
        for (volatile int pause = 0; pause < 2000; pause++)
            ;
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        printf("count: %u of 6\n", *count);
    return RCCE_finalize();
}
