// A cached line of shared DRAM stays as it was until this core drops it.
// run: --cores 0,1 --tag none --until 50ms
// mutant: coherent-l1
// expect-stdout:
// memory is old while the writer's line is dirty
// cached copy is old after the write-back
// cached copy is new after the flush
#include "chip.h"

#define PLACE (SHARED_DRAM + 0x10000u)

int main(void)
{
    int core = my_core();
    word *cached = map_cached(PLACE, 4096);
    word *memory = map_uncached(PLACE, 4096);
    start_turns();

    if (core == 0) {
        await(1, 1);
        CHECK(cached[0] == 0); /* allocates: a store alone would not */
        cached[0] = 0xC0FFEE;
        reach(0, 1); /* dirty in this core's cache */
        await(1, 2);
        flush_caches();
        reach(0, 2); /* in memory */
        await(1, 3);
        return 0;
    }
    CHECK(cached[0] == 0);
    reach(1, 1);
    await(0, 1);
    CHECK(memory[0] == 0);
    CHECK(cached[0] == 0);
    puts("memory is old while the writer's line is dirty");
    reach(1, 2);
    await(0, 2);
    CHECK(memory[0] == 0xC0FFEE);
    CHECK(cached[0] == 0);
    puts("cached copy is old after the write-back");
    flush_caches();
    CHECK(cached[0] == 0xC0FFEE);
    puts("cached copy is new after the flush");
    reach(1, 3);
    return 0;
}
