/*
 * flush.cpp: lines leave L1 and L2 because others take their places.
 *
 * No instruction empties L2, and WBINVD, which empties L1, is the kernel's. So
 * a set is flushed by reading other lines into each of its ways. The lines are
 * aliases of the own tile's message buffer above its end, which are near and
 * which Linux for the SCC read for this too [scc-linux-2011]; what comes back
 * means nothing, and nobody writes there.
 *
 * A read that hits displaces nothing. Two groups of four windows take turns,
 * set by set: after a flush by one group nothing of the other is in the set.
 * Two more reads follow, because L1 has empty ways now and then (CL1INVMB) and
 * a page walk may use a line of the set meanwhile: with tree pseudo-LRU and
 * both, the fifth read may be too few, the sixth never is. A set that was not
 * flushed before is read by both groups, since L2 begins empty.
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
constexpr int WINDOWS = 10;
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

/* One line of each window of a group, then the two last windows'. Only loads,
 * so that nothing else of the set is used in between. */
inline void read_group(uintptr_t group, uintptr_t last)
{
    uint32_t value;

    __asm__ volatile("movl (%1), %0\n\t"
                     "movl %c3(%1), %0\n\t"
                     "movl %c4(%1), %0\n\t"
                     "movl %c5(%1), %0\n\t"
                     "movl (%2), %0\n\t"
                     "movl %c3(%2), %0"
                     : "=&r"(value)
                     : "r"(group), "r"(last), "i"(STRIDE), "i"(2 * STRIDE),
                       "i"(3 * STRIDE)
                     : "memory");
}

inline void flush_set(uint32_t set)
{
    uintptr_t windows = MAPPINGS[0];
    uint8_t &last = last_group[set];

    if (set % L1_SETS == directory_set(windows))
        windows = MAPPINGS[1];
    windows += set * LINE;
    uintptr_t end = windows + 8 * STRIDE;
    if (last == NEVER)
        read_group(windows + 4 * STRIDE, end);
    if (last == FIRST) {
        last = SECOND;
        read_group(windows + 4 * STRIDE, end);
    } else {
        last = FIRST;
        read_group(windows, end);
    }
}
} // namespace

void open_flush()
{
    for (uintptr_t mapping : MAPPINGS)
        for (uint32_t window = 0; window < WINDOWS; window++)
            map_device("/dev/rckdcm", mapping + window * STRIDE,
                       ALIASES + window * WAY, WAY);
}

void flush(const void *start, size_t bytes)
{
    uint32_t address = reinterpret_cast<uintptr_t>(start);
    uint32_t first = address / LINE;
    uint32_t count = (uint32_t)(address + bytes - 1) / LINE - first + 1;

    /* Once is enough for all lines of a set. */
    if (count > SETS)
        count = SETS;
    for (uint32_t line = first; bytes && line < first + count; line++)
        flush_set(line % SETS);
}
} // namespace detail
} // namespace mesh
