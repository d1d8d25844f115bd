/*
 * pipeline.h: stages on cores, one each, that work on a stream chunk by
 * chunk [marc-2011, pipelines].
 *
 * Every UE of a pipeline opens it, runs one or more jobs and closes it, all
 * of them in the same order. Errors are those of RCCE.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stddef.h>

#include "RCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where chunks are. Private: in each core's own memory, and RCCE carries
 * them on; apart: from one buffer of the stage's into another. Shared: in
 * the queue slots, where they stay; RCCE carries only tokens. Cached:
 * the same, and each stage flushes all of L1 and L2 before it reads a chunk
 * and after it has written it. */
enum pipeline_memory {
    PIPELINE_PRIVATE,
    PIPELINE_APART,
    PIPELINE_UNCACHED,
    PIPELINE_CACHED
};

/* Which core has which stage: by core number, or along the rows of tiles,
 * each second one backwards, so that neighbours are never far away. */
enum pipeline_order { PIPELINE_TRIVIAL, PIPELINE_SNAKE };

struct pipeline {
    enum pipeline_memory memory;
    /* Bytes of a chunk at most. */
    size_t room;
    int stages, slots;
    /* The UE of each stage, and the own stage. */
    int ues[RCCE_MAXNP];
    int stage;
    /* The queue (shared), or the one chunk of this core, or two. */
    unsigned char *chunks;
    /* What RCCE gave for the queue. */
    t_vcharp shared;
};

/* Whether chunks are in the shared queue. */
int pipeline_is_shared(const struct pipeline *pipeline);

/* What a stage does; `context` is the caller's. A chunk may become longer or
 * shorter, but never longer than `room`. */
struct pipeline_job {
    /* First stage: the next chunk; 0 bytes are the end of the stream. */
    size_t (*fill)(void *context, unsigned char *chunk, size_t room);
    /* Each stage: the bytes that go on; 0 drops the chunk. `out` is another
     * buffer than `in` only where chunks are apart. */
    size_t (*work)(void *context, int stage, const unsigned char *in,
                   unsigned char *out, size_t bytes, size_t room);
    /* Last stage. */
    void (*drain)(void *context, const unsigned char *chunk, size_t bytes);
    void *context;
};

/* Seconds; all but the first are those of the slowest stage. */
struct pipeline_times {
    /* From the first chunk's start to the last one's end. */
    double total;
    /* Of a chunk, the mean: work with its flushes, and these alone. */
    double work, flush;
    /* To pass a chunk or token on to a partner that waits for it. */
    double message;
    /* Chunks that left the first stage. */
    int chunks;
};

/* Fills `ues` with all UEs in this order. */
void pipeline_place(int *ues, enum pipeline_order order);

/* Collective. `slots`, of the shared queue, is at least 1 and at most stages
 * - 1. `ues` has each UE once, or is NULL: as PIPELINE_TRIVIAL. Errors:
 * NUM_UES (less than two stages), ID (a UE twice, or none), MESSAGE_LENGTH
 * (no room in a chunk), VAL_UNDEFINED (slots), MALLOC. */
int pipeline_open(struct pipeline *pipeline, enum pipeline_memory memory,
                  size_t room, int slots, const int *ues);
void pipeline_close(struct pipeline *pipeline);

/* Collective, blocks until the stream is through; `times`, if it is not
 * NULL, is the same for all UEs. */
int pipeline_run(struct pipeline *pipeline, const struct pipeline_job *job,
                 struct pipeline_times *times);

/* The publication's upper bound for the time of `chunks` chunks, from one
 * message and the work on one chunk. */
double pipeline_bound(const struct pipeline *pipeline, int chunks,
                      double message, double work);

/* What the same would take if stages never disturbed each other: filling,
 * then the slowest of a stage's own period and a slot's way round. */
double pipeline_estimate(const struct pipeline *pipeline, int chunks,
                         double message, double work);

#ifdef __cplusplus
}
#endif

#endif
