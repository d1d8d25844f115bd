// Two cores store to different words of one line of write-back memory; the
// line that is written back last takes the other's word with it.
// run: --cores 0,1 --tag none --until 50ms
// mutant: coherent-l1
// expect-stdout:
// one of two updates is lost
#include "chip.h"

#define PLACE (SHARED_DRAM + 0x30000u)

int main(void)
{
    int core = my_core();
    word *cached = map_cached(PLACE, 4096);
    word *memory = map_uncached(PLACE, 4096);
    start_turns();

    CHECK(cached[0] == 0 && cached[1] == 0); /* both hold the line */
    reach(core, 1);
    await(1 - core, 1);
    cached[core] = 7;
    reach(core, 2);
    await(1 - core, 2);
    if (core == 0) {
        flush_caches();
        CHECK(memory[0] == 7 && memory[1] == 0);
        reach(0, 3);
        await(1, 3);
        return 0;
    }
    await(0, 3);
    flush_caches();
    CHECK(memory[0] == 0 && memory[1] == 7);
    puts("one of two updates is lost");
    reach(1, 3);
    return 0;
}
