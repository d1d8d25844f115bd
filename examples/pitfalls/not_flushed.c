/* The writer's L1D keeps what it stores into a line that it has read. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *table = map(CACHED, SHARED);
    if (RCCE_ue() == 0) {
        if (table[0] == 0)
            table[0] = 42;
#ifdef MENDED
        RCCE_DCMflush();
#endif
        reached(1);
    } else {
        await(0, 1);
        printf("table: %u\n", table[0]);
    }
    return RCCE_finalize();
}
