/* Two counters in one line of cached memory: the later write-back wins. */
#include "pitfalls.h"

#ifdef MENDED
#define APART 8 /* words of a line */
#else
#define APART 1
#endif

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    int me = RCCE_ue();
    word *counter = map(CACHED, SHARED) + APART * me;
    uint32_t first = *counter;
    reached(1);
    await(1 - me, 1);
    *counter = first + 10;
    reached(2);
    await(me == 0 ? 1 : 0, me == 0 ? 2 : 3);
    RCCE_DCMflush();
    reached(3);
    await(1, 3);
    if (me == 0) {
        word *memory = map(UNCACHED, SHARED);
        printf("counters: %u %u\n", memory[0], memory[APART]);
    }
    return RCCE_finalize();
}
