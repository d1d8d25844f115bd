/*
 * numa.h: the question that libnuma's programs ask first. A program here has no
 * nodes to choose from: numa_available() is -1, and libnuma's manual says that
 * no other function may be used then. They link, and a call of one ends the
 * program with its name.
 */
#ifndef _NUMA_H
#define _NUMA_H

#include <stddef.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct bitmask {
    unsigned long size, *maskp;
};

int numa_available(void);

int numa_max_node(void);
int numa_num_configured_nodes(void);
int numa_num_configured_cpus(void);
int numa_node_of_cpu(int cpu);
int numa_preferred(void);
int numa_run_on_node(int node);
int numa_distance(int one, int other);
long numa_node_size(int node, long *free_bytes);
long long numa_node_size64(int node, long long *free_bytes);
void numa_set_localalloc(void);
void numa_set_preferred(int node);
void numa_set_strict(int flag);
void numa_set_bind_policy(int strict);
void numa_bind(struct bitmask *nodes);
void numa_set_membind(struct bitmask *nodes);
void numa_set_interleave_mask(struct bitmask *nodes);
void *numa_alloc(size_t size);
void *numa_alloc_local(size_t size);
void *numa_alloc_onnode(size_t size, int node);
void *numa_alloc_interleaved(size_t size);
void numa_free(void *block, size_t size);
struct bitmask *numa_allocate_nodemask(void);
struct bitmask *numa_allocate_cpumask(void);
void numa_bitmask_free(struct bitmask *mask);
struct bitmask *numa_bitmask_setbit(struct bitmask *mask, unsigned int bit);
struct bitmask *numa_bitmask_clearall(struct bitmask *mask);
int numa_bitmask_isbitset(const struct bitmask *mask, unsigned int bit);
struct bitmask *numa_parse_nodestring(const char *text);

extern struct bitmask *numa_all_nodes_ptr, *numa_no_nodes_ptr;

__END_DECLS

#endif
