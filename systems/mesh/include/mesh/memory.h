/*
 * memory.h: memory domains, replicas, and writing back caches.
 *
 * The 64 MB of shared DRAM are 16 MB behind each controller. MESH takes the
 * upper half of each: REPLICA_BYTES, which every core sees cached at
 * REPLICA_BASE, whichever domain is its own. Pointers inside a replica are
 * therefore valid in each copy of it. The lower halves are left to
 * RCCE_shmalloc.
 */
#ifndef MESH_MEMORY_H
#define MESH_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace mesh
{
constexpr int DOMAINS = 4;

/* The memory domain (0 to 3: the nearest controller) of this core; the domain
 * of any rank; and the lowest rank in a domain, its leader, which fetches the
 * domain's replicas, or -1 if no core of this job is in it. */
int domain();
int domain_of(int rank);
int leader_of(int domain);
inline int leader()
{
    return leader_of(domain());
}

namespace detail
{
constexpr uint32_t REPLICA_BASE = 0x60000000;
constexpr uint32_t REPLICA_BYTES = 0x00800000;

inline void *replica(uint32_t offset)
{
    return reinterpret_cast<void *>(REPLICA_BASE + offset);
}

/* Remove all lines of memory from this core's L1 and L2, with other lines of
 * their cache sets. write_back first writes the core's changes to memory; drop
 * needs fewer reads, for memory that this core has not changed. */
void write_back(const void *start, size_t bytes);
void drop(const void *start, size_t bytes);

/* Copies a replica, `bytes` rounded up to whole lines, from the memory of
 * domain `from` into the memory of this core's domain, past the caches. The
 * offset is a multiple of 32. */
void copy_replica(uint32_t offset, size_t bytes, int from);
} // namespace detail
} // namespace mesh

#endif
