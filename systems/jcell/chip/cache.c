/* cache.c: versions that this core keeps, the least recently used one goes. */
#include "chip.h"

#include <stdlib.h>

struct entry {
    struct jcell_node node;
    int32_t version; /* -1: none */
    short before, after;
};

static struct entry *entries;
static int ring, size, used;

bool jcell_cache_open(int objects, int cache_size)
{
    ring = objects;
    size = cache_size;
    entries = malloc((size_t)(objects + 1) * sizeof *entries);
    if (!entries)
        return false;
    for (int i = 0; i < objects; i++)
        entries[i].version = -1;
    entries[ring].before = entries[ring].after = (short)ring;
    return true;
}

static void leave(struct entry *it)
{
    entries[it->before].after = it->after;
    entries[it->after].before = it->before;
}

static void enter(int object)
{
    struct entry *it = &entries[object];

    it->before = (short)ring;
    it->after = entries[ring].after;
    entries[it->after].before = (short)object;
    entries[ring].after = (short)object;
}

const struct jcell_node *jcell_cached(int object, int32_t *version)
{
    struct entry *it = &entries[object];

    if (it->version < 0)
        return 0;
    leave(it);
    enter(object);
    *version = it->version;
    return &it->node;
}

void jcell_drop(int object)
{
    if (entries[object].version < 0)
        return;
    leave(&entries[object]);
    entries[object].version = -1;
    used--;
}

void jcell_keep(int object, const struct jcell_node *node, int32_t version)
{
    if (entries[object].version >= 0)
        leave(&entries[object]);
    else if (used == size)
        jcell_drop(entries[ring].before), used++;
    else
        used++;
    entries[object].node = *node;
    entries[object].version = version;
    enter(object);
}
