/* A test-and-set register does not know its owner: a second release frees the
 * lock of whoever has taken it since. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *lock = map(UNCACHED, LOCK_0) + 0x200 / 4;
    for (int n = 0; n < 4; n++) {
        while (!(*lock & 1))
            ;
#ifdef MENDED
        int times = 1;
#else
        int times = n == 3 ? 2 : 1; /* the clean-up path releases, too */
#endif
        while (times-- > 0)
            *lock = 0;
    }
    if (RCCE_ue() == 0)
        printf("done\n");
    return RCCE_finalize();
}
