/*
 * simulate.c: the published simulation: random insertions and deletions in a
 * tree that all nodes share, with caches of versions and chains of proxies.
 *
 *     simulate avl|rb CACHE SEED [TRANSACTIONS [NODES [KEYS [root]]]]
 *
 * Plain C and integers: the host's compiler and `rck cc` make programs that
 * print the same. An access is the first one to an object in a transaction.
 * A transaction works on private copies, a snapshot: what it has written
 * becomes new versions at its end, and only then the cache takes what it has
 * used, once each, in the order of the first accesses. The header of the AVL
 * tree counts the tree's objects, so that each change of the tree writes it:
 * the published numbers need one object that is outdated at nearly each
 * access. `root`: it holds the root only, as on the chip.
 */
#include "jcell_tree.h"
#include "simulation.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOUCHED = 1024, HEADER = MOST_KEYS + 1, OBJECTS = HEADER + 1 };

static struct jcell_node places[OBJECTS];
static int free_places[OBJECTS], free_count;
static int read_in[OBJECTS], written_in[OBJECTS]; /* transaction */
static int touched[MOST_TOUCHED], touched_count;
static int written[MOST_TOUCHED], written_count;
static int transaction;
static bool with_header, counting;
static struct counts counts;
static uint64_t state;

/* splitmix64; the same numbers everywhere. */
static int below(int limit)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (int)(((z >> 32) * (uint64_t)limit) >> 32);
}

/* An object is known by its key, wherever it stands. */
static int object_at(int place)
{
    return place == HEADER ? HEADER : places[place].key;
}

const struct jcell_node *jcell_load(int place)
{
    int object = object_at(place);

    if (read_in[object] != transaction && (place != HEADER || with_header)) {
        read_in[object] = transaction;
        touched[touched_count++] = object;
    }
    return &places[place];
}

struct jcell_node *jcell_store(int place)
{
    int object = object_at(place);

    jcell_load(place);
    if (written_in[object] != transaction && (place != HEADER || with_header)) {
        written_in[object] = transaction;
        written[written_count++] = object;
    }
    return &places[place];
}

int jcell_create(int key)
{
    int place = free_places[--free_count];

    places[place] = (struct jcell_node){.key = (short)key, .height = 1};
    if (read_in[key] != transaction)
        object_begin(key);
    jcell_store(place);
    return place;
}

void jcell_discard(int place)
{
    free_places[free_count++] = place;
}

/* The object that comes here gets the links of the one that was here. */
void jcell_rename(int place, int key)
{
    places[place].key = (short)key;
    jcell_store(place);
}

int jcell_header(void)
{
    return HEADER;
}

static void account(int node, int object, int use)
{
    int version, last_use;
    enum hit hit = MISS;

    counts.accesses++;
    if (object_newest(object) >= 0)
        hit = cache_look(node, object, &version, &last_use);
    if (hit == MISS) {
        counts.misses++;
    } else {
        int gap = use - last_use - 1;

        *(hit == GOOD ? &counts.good : &counts.bad) += 1;
        if (gap < LONGEST_GAP) {
            counts.gap_hits[gap]++;
            counts.gap_good[gap] += hit == GOOD;
        }
    }
    for (int depth = 1; hit == BAD && depth <= DEPTHS; depth++) {
        int hops = object_hops(object, version, node, depth);

        counts.hops[depth][hops < MOST_HOPS ? hops : MOST_HOPS - 1]++;
        counts.hop_sum[depth] += hops;
        if (hops > counts.longest[depth])
            counts.longest[depth] = hops;
    }
}

static void commit(int node, int use)
{
    for (int i = 0; i < touched_count; i++)
        account(node, touched[i], use);
    for (int i = 0; i < written_count; i++)
        object_write(written[i], node);
    for (int i = 0; i < touched_count; i++)
        cache_put(node, touched[i], use);
    counts.written += written_count;
}

static void run(bool avl, long transactions, int nodes, int keys)
{
    short *uses = calloc((size_t)nodes, sizeof *uses);

    if (!uses)
        exit(1);
    for (long i = 0; i < transactions; i++) {
        int node = below(nodes), in = below(keys) + 1, out = below(keys) + 1;
        bool changed;

        transaction = (int)i + 1;
        touched_count = written_count = 0;
        changed = avl ? jcell_avl_insert(in) : jcell_red_black_insert(in);
        changed |= avl ? jcell_avl_delete(out) : jcell_red_black_delete(out);
        if (changed && counting)
            jcell_store(HEADER);
        commit(node, ++uses[node]);
    }
    free(uses);
}

static void report(void)
{
    printf("accesses %ld misses %ld good %ld bad %ld written %ld\n",
           counts.accesses, counts.misses, counts.good, counts.bad,
           counts.written);
    for (int depth = 1; depth <= DEPTHS; depth++) {
        printf("depth %d longest %d sum %.0f hops", depth,
               counts.longest[depth], counts.hop_sum[depth]);
        for (int hops = 0; hops <= 12; hops++)
            printf(" %ld", counts.hops[depth][hops]);
        printf("\n");
    }
    printf("gaps");
    for (int gap = 0; gap < LONGEST_GAP; gap++)
        printf(" %ld/%ld", counts.gap_good[gap], counts.gap_hits[gap]);
    printf("\n");
}

static long number(int argc, char **argv, int at, long otherwise, long most)
{
    char *end;
    long value = otherwise;

    if (argc <= at)
        return otherwise;
    value = strtol(argv[at], &end, 10);
    if (*end || end == argv[at] || value < 0 || value > most) {
        fprintf(stderr,
                "simulate: argument %d: '%s' is not a number from 0 to %ld\n",
                at, argv[at], most);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv)
{
    bool avl = argc > 1 && strcmp(argv[1], "avl") == 0;

    if (argc < 4 || argc > 8 || (!avl && strcmp(argv[1], "rb") != 0)) {
        fprintf(stderr, "usage: simulate avl|rb CACHE SEED [TRANSACTIONS "
                        "[NODES [KEYS [root]]]]\n");
        return 2;
    }
    int cache = (int)number(argc, argv, 2, 0, MOST_KEYS);
    state = (uint64_t)number(argc, argv, 3, 0, 1000000000);
    long transactions = number(argc, argv, 4, 1000000, 10000000);
    int nodes = (int)number(argc, argv, 5, 1000, 1000);
    int keys = (int)number(argc, argv, 6, MOST_KEYS, MOST_KEYS);

    if (!cache || !nodes || !keys || transactions / nodes > 30000) {
        fprintf(stderr, "simulate: 1 or more objects in a cache, nodes and "
                        "keys; 30000 transactions a node at most\n");
        return 2;
    }
    with_header = avl;
    counting = avl && argc < 8;
    if (argc > 7 && strcmp(argv[7], "root") != 0) {
        fprintf(stderr,
                "simulate: argument 7: '%s': only \"root\" may stand "
                "here\n",
                argv[7]);
        return 2;
    }
    for (int place = keys + 1 < MOST_KEYS ? keys + 1 : MOST_KEYS; place;
         place--)
        free_places[free_count++] = place;
    objects_open(nodes, OBJECTS);
    caches_open(nodes, OBJECTS, cache);
    if (with_header)
        object_write(HEADER, 0);
    run(avl, transactions, nodes, keys);
    report();
    return 0;
}
