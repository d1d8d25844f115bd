/*
 * mesh.h: objects that cores share, in C++, after MESH and TACO [marc-2011].
 *
 *   int main(int argc, char **argv)
 *   {
 *       mesh::Job job(&argc, &argv);            // every core; serves at its end
 *       if (mesh::rank() == 0) { ... }
 *   }
 *
 * Build with `rck c++ prog.cpp -lmesh -lrcce`. From the bottom up:
 *
 *   mesh/messages.h    tell and ask: a function runs on another core
 *   mesh/object.h      ObjectPtr: call, invoke and apply methods of an object
 *   mesh/container.h   ControlPtr, StoragePtr: one object that has a member on
 *                      each core, or one in each memory domain; map, step, reduce
 *   mesh/shared.h      sharing spaces; Shared, Reader, Writer, MultipleWriter
 *
 * Methods of other cores' calls run while this core waits in a call of MESH
 * or calls mesh::poll(). A core that only serves is one whose Job ends. An
 * error prints what is wrong and a hint, and ends its core with exit code 1.
 */
#ifndef MESH_H
#define MESH_H

#include "mesh/container.h"
#include "mesh/messages.h"
#include "mesh/object.h"
#include "mesh/shared.h"

extern "C" {
void mesh_open(int *argc, char ***argv);
void mesh_close(void);
}

namespace mesh
{
/* Starts MESH and RCCE (RCCE_init, which removes RCCE's arguments); collective,
 * once in a program. The destructor serves other cores' calls until all cores
 * have reached theirs and no message is on its way; then it ends RCCE. */
class Job
{
  public:
    Job(int *argc, char ***argv)
    {
        mesh_open(argc, argv);
    }
    ~Job()
    {
        mesh_close();
    }
    Job(const Job &) = delete;
    Job &operator=(const Job &) = delete;
};

/* Collective: returns when all cores have called it; serves other cores' calls
 * in the meantime. */
void barrier();
/* Collective: a barrier that also waits, serving, until no message is on its
 * way, so that all earlier applies have been performed on all cores. */
void settle();
} // namespace mesh

#endif
