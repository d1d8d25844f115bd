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
#include "scc/claim.h"
#include "scc/memory_map.h"

namespace mesh
{
namespace
{
constexpr uint32_t PER_CONTROLLER = SCC_SHARED_SIZE / DOMAINS;

int leaders[DOMAINS];
volatile uint32_t *messages[DOMAINS]; /* each domain's replicas, as MPBT */

constexpr uint32_t offset_of(uint32_t domain)
{
    return domain * PER_CONTROLLER + PER_CONTROLLER - detail::REPLICA_BYTES;
}

#define PLAN(name, domain)                                   \
    SCC_PLAN(name, SCC_SHARED, SCC_ALONE, offset_of(domain), \
             detail::REPLICA_BYTES, NAME)
PLAN(first_replicas, 0);
PLAN(second_replicas, 1);
PLAN(third_replicas, 2);
PLAN(fourth_replicas, 3);

uint32_t replicas_of(int domain)
{
    return SCC_SHARED_BASE + offset_of((uint32_t)domain);
}
} // namespace

int domain_of(int rank)
{
    return scc_controller_of(detail::core_of[rank]);
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
        scc_claim(SCC_SHARED, SCC_ALONE, offset_of((uint32_t)number),
                  REPLICA_BYTES, NAME);
        messages[number] = static_cast<volatile uint32_t *>(
            map_memory(SCC_MPBT, 0, replicas_of(number), REPLICA_BYTES));
    }
    for (int rank = rank_count; rank--;)
        leaders[domain_of(rank)] = rank;
    map_memory(SCC_CACHED, REPLICA_BASE, replicas_of(domain()), REPLICA_BYTES);
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
