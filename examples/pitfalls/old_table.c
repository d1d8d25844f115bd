/* The reader has read the table before: it reads the same again. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *table = map(CACHED, SHARED);
    if (RCCE_ue() == 1) {
        printf("before: %u\n", table[0]);
        reached(1);
        await(0, 2);
#ifdef MENDED
        RCCE_DCMflush();
#endif
        printf("after: %u\n", table[0]);
    } else {
        await(1, 1);
        table[0] = 42; /* not in a cache: it goes to memory */
        reached(2);
    }
    return RCCE_finalize();
}
