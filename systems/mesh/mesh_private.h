/* mesh_private.h: what the library's files share and programs do not see. */
#ifndef MESH_PRIVATE_H
#define MESH_PRIVATE_H

#include "mesh.h"

#include "RCCE.h"

namespace mesh
{
namespace detail
{
extern int core_of[RCCE_MAXNP];

/* start.cpp: a device of the kernel, mapped; at any place if `at` is 0. */
void *map_device(const char *device, uintptr_t at, uint32_t physical,
                 size_t bytes);

/* messages/channel.cpp */
void open_channels();
/* Messages of programs: sent less received here. */
struct Traffic {
    uint32_t sent, received;
};
Traffic traffic();

/* memory/domains.cpp, memory/flush.cpp */
void open_memory();
void open_flush();
} // namespace detail
} // namespace mesh

#endif
