/*
 * objects.c: objects as lists of versions, and the proxies these leave.
 *
 * A version lives on the node that wrote it. That node's proxy points to the
 * version behind the last one it wrote itself, so that a chain that comes
 * back to a node is cut there.
 */
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>

struct object {
    int *writers; /* by version */
    int versions, room, life;
};

static struct object *objects;
static int *last_by; /* [object][node]: its last version there */
static int nodes;

void objects_open(int node_count, int object_count)
{
    nodes = node_count;
    objects = calloc((size_t)object_count, sizeof *objects);
    last_by = calloc((size_t)object_count * (size_t)nodes, sizeof *last_by);
    if (!objects || !last_by) {
        fprintf(stderr, "simulate: no memory for %d nodes\n", nodes);
        exit(1);
    }
}

void object_begin(int object)
{
    objects[object].versions = 0;
    objects[object].life++;
}

int object_newest(int object)
{
    return objects[object].versions - 1;
}

int object_life(int object)
{
    return objects[object].life;
}

void object_write(int object, int node)
{
    struct object *it = &objects[object];

    if (it->versions == it->room) {
        it->room = it->room ? 2 * it->room : 16;
        it->writers = realloc(it->writers, (size_t)it->room * sizeof(int));
        if (!it->writers) {
            fprintf(stderr, "simulate: no memory for versions\n");
            exit(1);
        }
    }
    it->writers[it->versions] = node;
    last_by[object * nodes + node] = it->versions++;
}

int object_hops(int object, int version, int node, int depth)
{
    const struct object *it = &objects[object];
    const int *last = last_by + object * nodes;
    int head = it->versions - 1;
    int here = last[it->writers[version]];
    int hops = it->writers[version] != node; /* its own proxy is at hand */

    while (here < head) {
        int next = here + depth < head ? here + depth : head;

        here = last[it->writers[next]];
        hops++;
    }
    return hops;
}
