// A flush reaches every line of a buffer as large as L1, and of one that
// takes a quarter of L2.
// run: -n 1
// expect-stdout:
// 16384 bytes: all stayed in the caches, all reached memory
// 65536 bytes: all stayed in the caches, all reached memory
#include "chip.h"

#define PLACE (SHARED_DRAM + 0x100000u)

static void run(word *cached, word *memory, int bytes, uint32_t value)
{
    int words = bytes / 4, left = 0;

    for (int i = 0; i < words; i += LINE_WORDS)
        (void)cached[i];
    for (int i = 0; i < words; i += LINE_WORDS)
        cached[i] = value;
    for (int i = 0; i < words; i += LINE_WORDS)
        left += memory[i] != value;
    CHECK(left == words / LINE_WORDS);
    flush_caches();
    for (int i = 0; i < words; i += LINE_WORDS)
        CHECK(memory[i] == value);
    printf("%d bytes: all stayed in the caches, all reached memory\n", bytes);
}

int main(void)
{
    word *cached = map_cached(PLACE, 65536);
    word *memory = map_uncached(PLACE, 65536);

    flush_caches();
    run(cached, memory, 16384, 3);
    run(cached, memory, 65536, 4);
    return 0;
}
