// LOCK locks nothing between cores: increments of an uncached word get lost,
// those of a cached word stay in each core's own L2. Under a test-and-set
// register none is lost.
// run: --cores 0,1,20,47 --tag none --until 50ms
// mutant: lock-between-cores
// mutant: tas-does-not-clear
// expect-stdout:
// LOCK lost increments
// LOCK on cached memory stays in the core
// test-and-set lost none
#include "chip.h"

#define CORES 4
#define TURNS_EACH 500

static const int cores[CORES] = {0, 1, 20, 47};

static void all_reach(int core, uint32_t step)
{
    reach(core, step);
    for (int i = 0; i < CORES; i++)
        await(cores[i], step);
}

int main(void)
{
    int core = my_core();
    word *counter = map_uncached(SHARED_DRAM + 0x40000u, 4096);
    word *cached = map_cached(SHARED_DRAM + 0x41000u, 4096);
    word *memory = map_uncached(SHARED_DRAM + 0x41000u, 4096);
    word *lock = map_lock(0);
    start_turns();
    CHECK(cached[0] == 0); /* the line is in L2 */

    all_reach(core, 1);
    for (int i = 0; i < TURNS_EACH; i++)
        __asm__ volatile("lock incl %0" : "+m"(counter[0]));
    for (int i = 0; i < 10; i++)
        __asm__ volatile("lock incl %0" : "+m"(cached[0]));
    all_reach(core, 2);
    CHECK(cached[0] == 10 && memory[0] == 0);
    for (int i = 0; i < TURNS_EACH / 5; i++) {
        while (!(*lock & 1))
            ;
        counter[8]++;
        *lock = 0;
    }
    all_reach(core, 3);
    if (core != 0)
        return 0;
    CHECK(counter[0] >= TURNS_EACH && counter[0] < CORES * TURNS_EACH);
    puts("LOCK lost increments");
    puts("LOCK on cached memory stays in the core");
    CHECK(counter[8] == CORES * (TURNS_EACH / 5));
    puts("test-and-set lost none");
    return 0;
}
