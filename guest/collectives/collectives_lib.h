/*
 * collectives_lib.h: what the files share.
 *
 * Signals are counted, pair by pair: a line pair of each MPB has a byte for
 * every UE, which that UE alone writes with the number of its signals so
 * far. So no signal is lost when a sender is ahead, and members of several
 * communicators do not mix theirs up: between two UEs all calls come in one
 * order.
 *
 * Data lie in `rcce_coll_buffer`, which is the message buffer until
 * iRCCE_init halves that. A call returns only when nobody reads the own
 * buffer any more.
 */
#ifndef COLLECTIVES_LIB_H
#define COLLECTIVES_LIB_H

#include "RCCE_collectives.h"
#include "RCCE_lib.h"

/* coll_signal.c; members by their rank in the group. */
void rcce_coll_signal(const struct rcce_group *group, int rank);
void rcce_coll_await(const struct rcce_group *group, int rank);
void rcce_coll_signal_others(const struct rcce_group *group);
void rcce_coll_await_others(const struct rcce_group *group);
void rcce_coll_synchronize(const struct rcce_group *group);

/* coll_check.c */
int rcce_coll_check(const struct rcce_group *group, int root, size_t bytes,
                    const void *in, const void *out);

/* coll_simple.c */
int rcce_coll_simple_bcast(char *buffer, size_t bytes, int root,
                           const struct rcce_group *group);
int rcce_coll_simple_reduce(char *in, char *out, int num, int type, int op,
                            int root, const struct rcce_group *group);

static inline size_t coll_round(size_t bytes)
{
    return (bytes + RCCE_LINE_SIZE - 1) & ~(size_t)(RCCE_LINE_SIZE - 1);
}

/* What the buffer has for each member, in whole lines; 0: less than one. */
static inline size_t coll_slot(const struct rcce_group *group)
{
    return rcce_coll_bytes / (size_t)group->size &
           ~(size_t)(RCCE_LINE_SIZE - 1);
}

static inline size_t coll_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
