/*
 * RCCE_collectives.h: collectives that scale, on top of RCCE.
 *
 * An extension of this project. Each call has the simple algorithm of RCCE
 * (one partner after another) and one that uses all cores and goes from
 * message buffer to message buffer; a table chooses by the number of members
 * and the bytes. Include after RCCE.h or iRCCE.h; link with -lrcce. All
 * members of `comm` call with the same sizes; ranks are those in `comm`; all
 * calls block. Errors are those of RCCE's collectives.
 *
 * All algorithms combine in the order of the ranks, so that every member gets
 * the same bits, those of RCCE_reduce with root 0.
 */
#ifndef RCCE_COLLECTIVES_H
#define RCCE_COLLECTIVES_H

#include "RCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

enum RCCE_coll_call {
    RCCE_COLL_BARRIER,
    RCCE_COLL_BCAST,
    RCCE_COLL_REDUCE,
    RCCE_COLL_ALLREDUCE,
    RCCE_COLL_GATHER,
    RCCE_COLL_SCATTER,
    RCCE_COLL_ALLTOALL,
    RCCE_COLL_CALLS
};

enum RCCE_coll_algorithm {
    RCCE_COLL_AUTO,          /* as the table says */
    RCCE_COLL_SIMPLE,        /* RCCE's */
    RCCE_COLL_DISSEMINATION, /* barrier: log2(n) rounds of signals */
    RCCE_COLL_TREE,          /* bcast: pipelined, each from its parent's MPB */
    RCCE_COLL_DIRECT,        /* each reads what it needs from all MPBs */
    RCCE_COLL_SLICES,        /* each combines one slice of all MPBs */
    RCCE_COLL_ALGORITHMS
};

/* Overrides the table for one call (RCCE_COLL_AUTO: no more). All UEs do the
 * same. An algorithm that the call does not have means RCCE_COLL_SIMPLE. */
void RCCE_coll_force(enum RCCE_coll_call call,
                     enum RCCE_coll_algorithm algorithm);
/* What is taken for so many members and bytes; its name. */
enum RCCE_coll_algorithm RCCE_coll_choose(enum RCCE_coll_call call, int members,
                                          size_t bytes);
const char *RCCE_coll_name(enum RCCE_coll_algorithm algorithm);
/* Prints the table. */
void RCCE_coll_print_table(FILE *stream);

/* A communicator without its flags, so that one library serves both kinds. */
struct rcce_group {
    int size, rank;
    const int *member;
};
int rcce_coll_barrier(const struct rcce_group *group);
int rcce_coll_bcast(char *buffer, size_t bytes, int root,
                    const struct rcce_group *group);
int rcce_coll_reduce(char *in, char *out, int num, int type, int op, int root,
                     const struct rcce_group *group);
int rcce_coll_gather(char *in, char *out, size_t bytes, int root,
                     const struct rcce_group *group);
int rcce_coll_scatter(char *in, char *out, size_t bytes, int root,
                      const struct rcce_group *group);
int rcce_coll_alltoall(char *in, char *out, size_t bytes,
                       const struct rcce_group *group);

/* The members of a communicator of more than RCCE_MAXNP. */
const int *rcce_large_members(int table);

/* size 0 stands for a communicator that is not initialized. */
static inline struct rcce_group rcce_coll_group(const RCCE_COMM *comm)
{
    struct rcce_group group = {comm && comm->initialized ? comm->size : 0,
                               comm ? comm->my_rank : 0,
                               comm ? comm->member : NULL};
    if (group.size > RCCE_MAXNP)
        group.member = rcce_large_members(comm->member[0]);
    return group;
}

static inline int RCCE_coll_barrier(RCCE_COMM *comm)
{
    struct rcce_group group = rcce_coll_group(comm);
    if (RCCE_coll_choose(RCCE_COLL_BARRIER, group.size, 0) == RCCE_COLL_SIMPLE)
        return RCCE_barrier(comm);
    return rcce_coll_barrier(&group);
}

static inline int RCCE_coll_bcast(char *buffer, size_t bytes, int root,
                                  RCCE_COMM comm)
{
    struct rcce_group group = rcce_coll_group(&comm);
    return rcce_coll_bcast(buffer, bytes, root, &group);
}

static inline int RCCE_coll_reduce(char *in, char *out, int num, int type,
                                   int op, int root, RCCE_COMM comm)
{
    struct rcce_group group = rcce_coll_group(&comm);
    return rcce_coll_reduce(in, out, num, type, op, root, &group);
}

/* root -1: everybody gets the result. */
static inline int RCCE_coll_allreduce(char *in, char *out, int num, int type,
                                      int op, RCCE_COMM comm)
{
    struct rcce_group group = rcce_coll_group(&comm);
    return rcce_coll_reduce(in, out, num, type, op, -1, &group);
}

/* `bytes` of each member, in the order of the ranks, to or from the root;
 * alltoall: block i of `in` goes to member i, block i of `out` comes from
 * it. `in` and `out` do not overlap. */
static inline int RCCE_coll_gather(char *in, char *out, size_t bytes, int root,
                                   RCCE_COMM comm)
{
    struct rcce_group group = rcce_coll_group(&comm);
    return rcce_coll_gather(in, out, bytes, root, &group);
}

static inline int RCCE_coll_scatter(char *in, char *out, size_t bytes, int root,
                                    RCCE_COMM comm)
{
    struct rcce_group group = rcce_coll_group(&comm);
    return rcce_coll_scatter(in, out, bytes, root, &group);
}

static inline int RCCE_coll_alltoall(char *in, char *out, size_t bytes,
                                     RCCE_COMM comm)
{
    struct rcce_group group = rcce_coll_group(&comm);
    return rcce_coll_alltoall(in, out, bytes, &group);
}

#ifdef __cplusplus
}
#endif

#endif
