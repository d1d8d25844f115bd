/* simulation.h: nodes with version caches, and objects with chains of proxies. */
#ifndef SIMULATION_H
#define SIMULATION_H

enum { MOST_KEYS = 10000, MOST_HOPS = 1024, DEPTHS = 6, LONGEST_GAP = 16 };

struct counts {
    /* First accesses of transactions; of these, cache misses, hits with the
     * newest version, other hits; objects written. */
    long accesses, misses, good, bad, written;
    long hops[DEPTHS + 1][MOST_HOPS]; /* hops of bad hits, by depth */
    double hop_sum[DEPTHS + 1];
    int longest[DEPTHS + 1];
    /* Cache hits, and those of them that had the newest version (good), by the
     * number of transactions that the node has made since the version's last
     * use. */
    long gap_hits[LONGEST_GAP], gap_good[LONGEST_GAP];
};

/* objects.c: for each version of an object, the node that made it */
void objects_open(int nodes, int objects); /* no memory: exit code 1 */
void object_begin(int object); /* new: no node has a version of it */
int object_newest(int object); /* number of its newest version; -1: none */
int object_life(int object);   /* how often object_begin was called */
void object_write(int object, int node); /* `node` makes a version */
/* How many messages a request takes from `node`, which has version `version`,
 * to the node with the newest version, if each proxy knows the nodes of the
 * next `depth` versions. */
int object_hops(int object, int version, int node, int depth);

/* caches.c: a cache for each node, which evicts the version used least
 * recently. GOOD: the cache has the newest version; BAD: an older one. */
enum hit { MISS, GOOD, BAD };
void caches_open(int nodes, int objects, int size); /* size: of each cache */
/* Stores the version in the node's cache and its last use, if not MISS; is no
 * use itself. */
enum hit cache_look(int node, int object, int *version, int *last_use);
/* The node's cache gets the newest version, used in its transaction `use`. */
void cache_put(int node, int object, int use);

#endif
