/* A core reaches one word by two mappings: cached, and past the cache. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    if (RCCE_ue() == 0) {
        word *cached = map(CACHED, SHARED), *plain = map(UNCACHED, SHARED);
        uint32_t first = cached[0];
        plain[0] = first + 42;
#ifdef MENDED
        cached = plain;
#endif
        printf("word: %u\n", cached[0]);
    }
    return RCCE_finalize();
}
