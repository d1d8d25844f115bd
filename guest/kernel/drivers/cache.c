/* Getting data out of this core's caches.
 *
 * WBINVD reaches the L1 only: the L2 sits outside the core as an external
 * cache without a flush input. What it holds can only be displaced, by
 * reading other lines into every way of every set [scc-linux-2011].
 */
#include "drivers/drivers.h"
#include "lib/panic.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "scc/cache.h"

#define WINDOWS 2u

static u32 windows_physical, windows;
static u32 next_window;

/* Two windows of the L2's size in private memory that nothing else uses;
 * set aside early, since a program may take all the rest. */
void cache_init(void)
{
    windows_physical = frames_contiguous(WINDOWS * SCC_L2_SIZE / PAGE_SIZE);
    if (!windows_physical)
        panic("no memory for the windows that displace the L2");
}

void cache_forget_messages(void)
{
    scc_cl1invmb();
}

/* A window has as many lines as the L2: one for each way of each set. */
static void read_next_window(void)
{
    u32 base = windows + next_window * SCC_L2_SIZE;

    for (u32 line = 0; line < SCC_L2_SIZE; line += SCC_LINE_SIZE)
        (void)read_register(base + line);
    next_window = (next_window + 1) % WINDOWS;
}

/* Write everything back to memory and leave nothing of it in L1 or L2.
 *
 * The windows alternate: lines of the last flush are still cached, and a
 * read that hits displaces nothing. */
void cache_flush_all(void)
{
    /* First the L1: its dirty lines go to the L2 or past it to memory, and
     * an L1 hit must not keep one of the reads below from the L2. */
    caches_write_back();
    if (!windows) {
        windows = vm_map_kernel(windows_physical, WINDOWS * SCC_L2_SIZE,
                                TYPE_WRITE_BACK);
        /* Ways that were never filled are filled first, so in a new L2 four
         * reads need not reach all four ways. The second window does; from
         * then on every way is in use. */
        read_next_window();
    }
    read_next_window();
}
