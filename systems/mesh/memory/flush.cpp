/*
 * flush.cpp: lines leave L1 and L2 because others take their places.
 *
 * No instruction empties L2, and WBINVD, which empties L1, is the kernel's. So
 * a set is flushed by reading other lines into each of its ways. The lines are
 * aliases of the own tile's message buffer above its end, which are near and
 * which Linux for the SCC read for this too [scc-linux-2011]; what comes back
 * means nothing, and nobody writes there.
 *
 * A read that hits displaces nothing. Two groups of windows take turns, set by
 * set: after a flush by one group nothing of the other is in the set. How many
 * reads are enough was found by trying all states of a set of both caches with
 * tree pseudo-LRU. For clean lines it is five: L1 has empty ways now and then
 * (CL1INVMB), which are filled first. For dirty ones it is seven: what L1 gives
 * up is written into L2 if that has the line, and makes it the newest there.
 * One more covers a page walk that uses a line of the set meanwhile. A set that
 * was not flushed before is read by both groups, since L2 begins empty.
 *
 * The page directory's line is read again by each walk. If it is in the set,
 * the windows' other mapping is used, whose directory entry is elsewhere.
 */
#include "mesh_private.h"

#include "scc/cache.h"
#include "scc/memory_map.h"

namespace mesh
{
namespace detail
{
namespace
{
constexpr uint32_t LINE = SCC_LINE_SIZE;
constexpr uint32_t WAY = 0x10000; /* of L2: lines so far apart share a set */
constexpr uint32_t SETS = WAY / LINE;
constexpr uint32_t L1_SETS = 128;
constexpr uint32_t CLEAN_READS = 6, DIRTY_READS = 8; /* windows a group */
/* A page more than a way, so that windows take different sets of the TLB. */
constexpr uint32_t STRIDE = WAY + 0x1000;
constexpr uint32_t ALIASES = SCC_MPB_OWN + SCC_L2_SIZE;
constexpr uintptr_t MAPPINGS[2] = {0x50000000, 0x52000000};

enum : uint8_t { NEVER, FIRST, SECOND }; /* by which group a set was flushed */
uint8_t last_group[SETS];

/* In which set of L1 the entry of the page directory lies. */
constexpr uint32_t directory_set(uintptr_t address)
{
    return (address >> 22) * 4 / LINE % L1_SETS;
}
static_assert(directory_set(MAPPINGS[0]) != directory_set(MAPPINGS[1]));

/* One line of each window of a group. Only loads, so that nothing else of the
 * set is used in between. */
template <bool DIRTY> inline void read_group(uintptr_t first)
{
    uint32_t value;

    __asm__ volatile("movl (%1), %0\n\t"
                     "movl %c2(%1), %0\n\t"
                     "movl 2*%c2(%1), %0\n\t"
                     "movl 3*%c2(%1), %0\n\t"
                     "movl 4*%c2(%1), %0\n\t"
                     "movl 5*%c2(%1), %0"
                     : "=&r"(value)
                     : "r"(first), "i"(STRIDE)
                     : "memory");
    if (DIRTY)
        __asm__ volatile("movl 6*%c2(%1), %0\n\t"
                         "movl 7*%c2(%1), %0"
                         : "=&r"(value)
                         : "r"(first), "i"(STRIDE)
                         : "memory");
}
static_assert(CLEAN_READS == 6 && DIRTY_READS == 8, "as many loads");

template <bool DIRTY> inline void flush_set(uint32_t set)
{
    constexpr uintptr_t SECOND_GROUP = DIRTY_READS * STRIDE;
    uintptr_t windows = MAPPINGS[0];
    uint8_t &last = last_group[set];

    if (set % L1_SETS == directory_set(windows))
        windows = MAPPINGS[1];
    windows += set * LINE;
    if (last == NEVER)
        read_group<true>(windows + SECOND_GROUP);
    read_group<DIRTY>(windows + (last == FIRST ? SECOND_GROUP : 0));
    last = last == FIRST ? SECOND : FIRST;
}

template <bool DIRTY> void flush(const void *start, size_t bytes)
{
    uint32_t address = reinterpret_cast<uintptr_t>(start);
    uint32_t first = address / LINE;
    uint32_t count = (uint32_t)(address + bytes - 1) / LINE - first + 1;

    /* Once is enough for all lines of a set. */
    if (count > SETS)
        count = SETS;
    for (uint32_t line = first; bytes && line < first + count; line++)
        flush_set<DIRTY>(line % SETS);
}
} // namespace

void open_flush()
{
    for (uintptr_t mapping : MAPPINGS)
        for (uint32_t window = 0; window < 2 * DIRTY_READS; window++)
            map_memory(SCC_CACHED, mapping + window * STRIDE,
                       ALIASES + window * WAY, WAY);
}

void write_back(const void *start, size_t bytes)
{
    flush<true>(start, bytes);
}

void drop(const void *start, size_t bytes)
{
    flush<false>(start, bytes);
}
} // namespace detail
} // namespace mesh
