/* caches.c: what each node has read or written last, as doubly linked lists. */
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>

struct entry {
    int version; /* -1: not there */
    int life;    /* which object of this key */
    short before, after;
    short use; /* the node's transaction that used it last */
};

static struct entry *entries; /* [node][object]; behind the last: the ring */
static int *used;
static int ring, size;

void caches_open(int nodes, int objects, int cache_size)
{
    ring = objects;
    size = cache_size;
    entries = calloc((size_t)nodes * (size_t)(objects + 1), sizeof *entries);
    used = calloc((size_t)nodes, sizeof *used);
    if (!entries || !used) {
        fprintf(stderr, "simulate: no memory for %d caches\n", nodes);
        exit(1);
    }
    for (int node = 0; node < nodes; node++) {
        struct entry *cache = entries + node * (ring + 1);

        for (int i = 0; i < objects; i++)
            cache[i].version = -1;
        cache[ring].before = cache[ring].after = (short)ring;
    }
}

static void leave(struct entry *cache, struct entry *it)
{
    cache[it->before].after = it->after;
    cache[it->after].before = it->before;
}

enum hit cache_look(int node, int object, int *version, int *last_use)
{
    const struct entry *it = entries + node * (ring + 1) + object;

    if (it->version < 0 || it->life != object_life(object))
        return MISS;
    *version = it->version;
    *last_use = it->use;
    return it->version == object_newest(object) ? GOOD : BAD;
}

void cache_put(int node, int object, int use)
{
    struct entry *cache = entries + node * (ring + 1);
    struct entry *it = cache + object;

    if (it->version >= 0) {
        leave(cache, it);
    } else if (used[node] == size) {
        struct entry *oldest = cache + cache[ring].before;

        leave(cache, oldest);
        oldest->version = -1;
    } else {
        used[node]++;
    }
    it->version = object_newest(object);
    it->life = object_life(object);
    it->use = (short)use;
    it->before = (short)ring;
    it->after = cache[ring].after;
    cache[it->after].before = (short)object;
    cache[ring].after = (short)object;
}
