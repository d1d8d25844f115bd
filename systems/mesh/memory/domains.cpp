/*
 * domains.cpp: which cores share a replica, and replicas that are copied.
 *
 * A domain is a quarter of the mesh, the cores nearest to one controller. A
 * copy goes line by line through mappings of type MPBT: loads pass L2, stores
 * leave the write-combine buffer as whole lines. No cache has a line of it
 * afterwards but for L1's message lines, which CL1INVMB drops.
 */
#include "mesh_private.h"

#include "scc/cache.h"
#include "scc/memory_map.h"

namespace mesh
{
namespace
{
constexpr uint32_t PER_CONTROLLER = SCC_SHARED_SIZE / DOMAINS;
constexpr int COLUMNS = 6, ROWS = 4;

int leaders[DOMAINS];
volatile uint32_t *messages[DOMAINS]; /* each domain's replicas, as MPBT */

uint32_t replicas_of(int domain)
{
    return SCC_SHARED_BASE + (uint32_t)domain * PER_CONTROLLER +
           PER_CONTROLLER - detail::REPLICA_BYTES;
}
} // namespace

int domain_of(int rank)
{
    int tile = detail::core_of[rank] / 2;

    return (tile % COLUMNS >= COLUMNS / 2) + 2 * (tile / COLUMNS >= ROWS / 2);
}

int domain()
{
    static const int mine = domain_of(rank());

    return mine;
}

int leader_of(int domain)
{
    return leaders[domain];
}

namespace detail
{
void open_memory()
{
    for (int number = 0; number < DOMAINS; number++) {
        leaders[number] = -1;
        messages[number] = static_cast<volatile uint32_t *>(
            map_device("/dev/rckmpb", 0, replicas_of(number), REPLICA_BYTES));
    }
    for (int rank = rank_count; rank--;)
        leaders[domain_of(rank)] = rank;
    map_device("/dev/rckdcm", REPLICA_BASE, replicas_of(domain()),
               REPLICA_BYTES);
}

void copy_replica(uint32_t offset, size_t bytes, int from)
{
    const volatile uint32_t *source = messages[from] + offset / 4;
    volatile uint32_t *target = messages[domain()] + offset / 4;

    scc_cl1invmb();
    for (size_t word = 0; word < (bytes + 3) / 4;) {
        for (int part = 0; part < 8; part++, word++)
            target[word] = source[word];
    }
}
} // namespace detail
} // namespace mesh
