/* Which of its programs a core runs that was left in reset when the chip
 * started: who takes it out of reset has written that into the core's message
 * buffer, into word 6 of the last line, bits 7 to 0: 1 and the number of the
 * module. What is above is the program's affair. */
#include "boot/boot.h"
#include "lib/options.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "scc/cache.h"
#include "scc/memory_map.h"

#define START_WORD (SCC_MPB_SIZE_PER_CORE - SCC_LINE_SIZE + 6 * 4)

u32 start_module(void)
{
    u32 half = SCC_MPB_BASE + (options.core / 2 << 24) +
               options.core % 2 * SCC_MPB_SIZE_PER_CORE;
    const volatile u32 *word;
    u32 chosen;

    if (!options.chosen)
        return 0;
    word = (const volatile u32 *)vm_map_kernel(half + START_WORD, sizeof(*word),
                                               TYPE_UNCACHED);
    chosen = *word & 0xff;
    return chosen ? chosen - 1 : 0;
}
