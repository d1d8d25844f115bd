/*
 * snet_private.h: the declarations that the files of this folder share.
 *
 * record.c   records
 * box.c      boxes and what records inherit
 * route.c    parallel composition, star and split: which way a record goes
 * collect.c  many streams into one
 * build.c    nodes into tasks
 */
#ifndef SNET_PRIVATE_H
#define SNET_PRIVATE_H

#include "lpel_private.h"
#include "snet.h"

#define SNET_ROOM 4 /* messages in a stream */

struct snet_record {
    lpel_stream *announced; /* null; or this record has no labels, and gives
                             * this stream to the collector */
    uint32_t count;
    struct {
        int label;
        uintptr_t value;
    } entry[SNET_ENTRIES];
};

extern const struct snet_net *snet_current; /* the network that runs */

int snet_is_tag(int label);                    /* otherwise a field */
uint64_t snet_type(const snet_record *record); /* the mask of its labels */
/* The names of the labels in `type`, as text in a static buffer; "no labels" if
 * there are none. */
const char *snet_told(uint64_t type);
/* How well a record of type `type` matches a node: the number of labels of the
 * largest type in `types`, a list ended by 0, that it contains; -1 if it
 * contains none of them. */
int snet_match(uint64_t type, const uint64_t *types);
/* Copies to `to` the tags of `from` that `to` does not have, and its fields,
 * with copies of the blocks. */
void snet_inherit(snet_record *to, const snet_record *from);

/* Builds the tasks of a node between two streams, whose other ends belong to
 * the caller. */
void snet_build(const struct snet_node *node, lpel_stream *in,
                lpel_stream *out);
/* Adds the types that a node accepts to `types`, a list of `count` entries with
 * room for SNET_TYPES, and a 0 behind them; returns the new number of entries.
 * More than SNET_TYPES - 1 are an error. */
#define SNET_TYPES 32
int snet_takes(const struct snet_node *node, uint64_t *types, int count);

struct snet_job {
    const struct snet_node *node;
    lpel_stream *in, *out, *more; /* more: second branch of parallel */
};
/* Starts a task of a node, to which the streams of the job are given. */
void snet_start(const char *name, void (*function)(void *),
                const struct snet_job *job);

void snet_box_task(void *job);
void snet_parallel_task(void *job);
void snet_star_task(void *job);
void snet_split_task(void *job);
/* The task that merges several streams into `out`: `in`, `more`, and the
 * streams that snet_announce has announced on one of them. */
void snet_collect_task(void *job);
void snet_announce(lpel_stream *to, lpel_stream *stream);

#endif
