/*
 * numa.c: libnuma on a chip without nodes that a program could choose.
 */
#include <numa.h>
#include <stdio.h>
#include <stdlib.h>

struct bitmask *numa_all_nodes_ptr, *numa_no_nodes_ptr;

int numa_available(void)
{
    return -1;
}

#define ABSENT(type, name, parameters)             \
    __attribute__((noreturn)) type name parameters \
    {                                              \
        refuse(#name);                             \
    }

__attribute__((noreturn)) static void refuse(const char *name)
{
    fprintf(stderr,
            "%s: there is no NUMA here: numa_available() is -1, and a program "
            "that asks it first does not call this\n",
            name);
    abort();
}

#pragma clang diagnostic ignored "-Wunused-parameter"

ABSENT(int, numa_max_node, (void))
ABSENT(int, numa_num_configured_nodes, (void))
ABSENT(int, numa_num_configured_cpus, (void))
ABSENT(int, numa_node_of_cpu, (int cpu))
ABSENT(int, numa_preferred, (void))
ABSENT(int, numa_run_on_node, (int node))
ABSENT(int, numa_distance, (int one, int other))
ABSENT(long, numa_node_size, (int node, long *free_bytes))
ABSENT(long long, numa_node_size64, (int node, long long *free_bytes))
ABSENT(void, numa_set_localalloc, (void))
ABSENT(void, numa_set_preferred, (int node))
ABSENT(void, numa_set_strict, (int flag))
ABSENT(void, numa_set_bind_policy, (int strict))
ABSENT(void, numa_bind, (struct bitmask * nodes))
ABSENT(void, numa_set_membind, (struct bitmask * nodes))
ABSENT(void, numa_set_interleave_mask, (struct bitmask * nodes))
ABSENT(void *, numa_alloc, (size_t size))
ABSENT(void *, numa_alloc_local, (size_t size))
ABSENT(void *, numa_alloc_onnode, (size_t size, int node))
ABSENT(void *, numa_alloc_interleaved, (size_t size))
ABSENT(void, numa_free, (void *block, size_t size))
ABSENT(struct bitmask *, numa_allocate_nodemask, (void))
ABSENT(struct bitmask *, numa_allocate_cpumask, (void))
ABSENT(void, numa_bitmask_free, (struct bitmask * mask))
ABSENT(struct bitmask *, numa_bitmask_setbit,
       (struct bitmask * mask, unsigned int bit))
ABSENT(struct bitmask *, numa_bitmask_clearall, (struct bitmask * mask))
ABSENT(int, numa_bitmask_isbitset,
       (const struct bitmask *mask, unsigned int bit))
ABSENT(struct bitmask *, numa_parse_nodestring, (const char *text))
