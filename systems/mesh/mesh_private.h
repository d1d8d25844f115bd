/* mesh_private.h: declarations for the library's files that programs do not
 * use. */
#ifndef MESH_PRIVATE_H
#define MESH_PRIVATE_H

#include "mesh.h"

#include "RCCE.h"
#include "scc/map.h"

#define NAME "mesh"

namespace mesh
{
namespace detail
{
extern const int *core_of; // by rank

/* start.cpp: maps memory of the chip at address `at` (what was mapped there is
 * replaced); 0: at any address. Ends the program if the kernel refuses. */
void *map_memory(scc_memory memory, uintptr_t at, uint32_t physical,
                 size_t bytes);

/* messages/channel.cpp */
void open_channels();
/* How many messages without UNCOUNTED this rank has sent to other ranks and
 * received from them. */
struct Traffic {
    uint32_t sent, received;
};
Traffic traffic();

/* memory/domains.cpp, memory/flush.cpp: map the replicas; map what write_back
 * and drop read. */
void open_memory();
void open_flush();
} // namespace detail
} // namespace mesh

#endif
