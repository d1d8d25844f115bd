/*
 * pipeline.h: stages on cores, one each, that process a stream chunk by chunk
 * [marc-2011, pipelines].
 *
 * Every UE of a pipeline opens it, runs one or more jobs and closes it, all UEs
 * in the same order. Errors are RCCE's.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stddef.h>

#include "RCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of chunks. Private: in each core's own memory, with RCCE carrying
 * them on. Apart: the same, with two buffers for each stage, one for input and
 * one for output. Shared: in the queue slots, where they stay; RCCE carries
 * only tokens. Cached: shared, and each stage flushes all of L1 and L2 before
 * it reads a chunk and after it has written it. */
enum pipeline_memory {
    PIPELINE_PRIVATE,
    PIPELINE_APART,
    PIPELINE_UNCACHED,
    PIPELINE_CACHED
};

/* The assignment of stages to cores: by core number, or along the rows of
 * tiles, each second row backwards, so that neighbours are never far apart. */
enum pipeline_order { PIPELINE_TRIVIAL, PIPELINE_SNAKE };

struct pipeline {
    enum pipeline_memory memory;
    /* The most bytes of a chunk. */
    size_t room;
    int stages, slots;
    /* The UE of each stage, and the own stage. */
    int ues[RCCE_MAXNP];
    int stage;
    /* The queue (shared), or the one chunk of this core, or two. */
    unsigned char *chunks;
    /* The memory that RCCE gave for the queue. */
    t_vcharp shared;
};

/* True if chunks are in the shared queue. */
int pipeline_is_shared(const struct pipeline *pipeline);

/* The functions of the stages; `context` is the caller's. A chunk may become
 * longer or shorter, but never longer than `room`. */
struct pipeline_job {
    /* First stage: produces the next chunk; 0 bytes are the end of the
     * stream. */
    size_t (*fill)(void *context, unsigned char *chunk, size_t room);
    /* Each stage: processes a chunk; returns its new length; 0 drops the chunk.
     * `out` is another buffer than `in` only where chunks are apart. */
    size_t (*work)(void *context, int stage, const unsigned char *in,
                   unsigned char *out, size_t bytes, size_t room);
    /* Last stage: consumes a chunk. */
    void (*drain)(void *context, const unsigned char *chunk, size_t bytes);
    void *context;
};

/* Times in seconds; all but the first are those of the slowest stage. */
struct pipeline_times {
    /* The time from the first chunk's start to the last one's end. */
    double total;
    /* The mean time of a chunk: work with its flushes, and flushes alone. */
    double work, flush;
    /* The time to pass a chunk or token on to a partner that waits for it. */
    double message;
    /* The number of chunks that left the first stage. */
    int chunks;
};

/* Fills `ues` with all UEs in this order. */
void pipeline_place(int *ues, enum pipeline_order order);

/* Opens a pipeline; collective. `slots`, of the shared queue, is at least 1 and
 * at most stages - 1. `ues` has each UE once, or is NULL: as PIPELINE_TRIVIAL.
 * Errors: NUM_UES (less than two stages), ID (a UE twice, or none),
 * MESSAGE_LENGTH (no room in a chunk), VAL_UNDEFINED (slots), MALLOC. */
int pipeline_open(struct pipeline *pipeline, enum pipeline_memory memory,
                  size_t room, int slots, const int *ues);
void pipeline_close(struct pipeline *pipeline);

/* Runs a job; collective, blocks until the stream has ended; `times`, if it is
 * not NULL, is equal for all UEs. */
int pipeline_run(struct pipeline *pipeline, const struct pipeline_job *job,
                 struct pipeline_times *times);

/* The publication's upper bound for the time of `chunks` chunks, from one
 * message and the work on one chunk. */
double pipeline_bound(const struct pipeline *pipeline, int chunks,
                      double message, double work);

/* The time of `chunks` chunks if stages never disturbed each other: filling,
 * then the slowest of a stage's own period and a slot's round trip. */
double pipeline_estimate(const struct pipeline *pipeline, int chunks,
                         double message, double work);

#ifdef __cplusplus
}
#endif

#endif
