// A store that misses goes around the caches; a store that hits stays.
// run: -n 1
// mutant: write-allocate
// expect-stdout:
// a store that misses is in memory at once
// a store that hits stays in the cache
// the flush writes it back
#include "chip.h"

#define PLACE (SHARED_DRAM + 0x50000u)

int main(void)
{
    word *cached = map_cached(PLACE, 4096);
    word *memory = map_uncached(PLACE, 4096);

    cached[0] = 1;
    CHECK(memory[0] == 1);
    cached[1] = 2; /* the first store has not brought the line either */
    CHECK(memory[1] == 2);
    puts("a store that misses is in memory at once");
    CHECK(cached[0] == 1); /* now it is in L1 and L2 */
    cached[0] = 3;
    CHECK(memory[0] == 1 && cached[0] == 3);
    puts("a store that hits stays in the cache");
    flush_caches();
    CHECK(memory[0] == 3);
    puts("the flush writes it back");
    return 0;
}
