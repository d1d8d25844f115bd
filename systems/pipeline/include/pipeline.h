/*
 * pipeline.h: stages on cores, one on each, that process a stream chunk by
 * chunk [marc-2011, pipelines].
 *
 * Every UE of a pipeline opens it, runs one or more jobs and closes it; all
 * UEs call in the same order. Errors are RCCE's.
 */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <stddef.h>

#include "RCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where chunks are stored. Private: in each core's own memory; RCCE copies
 * them from stage to stage. Apart: as private, but each stage has two buffers,
 * one for input and one for output. Shared (uncached): in the queue slots,
 * where they stay; RCCE sends only tokens. Cached: shared, and each stage
 * flushes all of L1 and L2 before it reads a chunk and after it has written
 * it. */
enum pipeline_memory {
    PIPELINE_PRIVATE,
    PIPELINE_APART,
    PIPELINE_UNCACHED,
    PIPELINE_CACHED
};

/* Which core runs which stage: by core number, or along the rows of tiles with
 * each second row backwards, so that neighbours are never far apart. */
enum pipeline_order { PIPELINE_TRIVIAL, PIPELINE_SNAKE };

struct pipeline {
    enum pipeline_memory memory;
    /* The largest number of bytes that one chunk may contain. */
    size_t room;
    int stages, slots;
    /* The UE that runs each stage; and the number of the stage that this UE
     * runs. */
    int ues[RCCE_MAXNP];
    int stage;
    /* The queue of chunks, if it is shared; otherwise the one or two buffers of
     * this core. */
    unsigned char *chunks;
    /* The memory that RCCE allocated for the queue. */
    t_vcharp shared;
};

/* True if chunks stay in the shared queue and only tokens are sent. */
int pipeline_is_shared(const struct pipeline *pipeline);

/* The functions of the stages; `context` belongs to the caller. A chunk may
 * become longer or shorter, but never longer than `room`. */
struct pipeline_job {
    /* First stage: produces the next chunk and returns its length; 0 ends the
     * stream. */
    size_t (*fill)(void *context, unsigned char *chunk, size_t room);
    /* Each stage: processes a chunk and returns its new length; 0 drops the
     * chunk. `out` differs from `in` only if chunks are apart. */
    size_t (*work)(void *context, int stage, const unsigned char *in,
                   unsigned char *out, size_t bytes, size_t room);
    /* Called on the UE of the last stage for each chunk that reaches the end,
     * in order; `bytes`: its length. */
    void (*drain)(void *context, const unsigned char *chunk, size_t bytes);
    void *context;
};

/* Times in seconds; all except `total` are those of the slowest stage. */
struct pipeline_times {
    /* The time from the start of the first chunk to the end of the last one.
     */
    double total;
    /* The mean time that a stage spends on a chunk: its work including flushes,
     * and the flushes alone. */
    double work, flush;
    /* The time to send a chunk or token to a partner that waits for it. */
    double message;
    /* The number of chunks that the first stage has sent on. */
    int chunks;
};

/* Fills `ues` with all UEs, in the order of the stages that they shall run. */
void pipeline_place(int *ues, enum pipeline_order order);

/* Opens a pipeline; collective. `slots`, the number of queue slots, is at
 * least 1 and at most stages - 1. `ues` contains each UE once, or is NULL: as
 * PIPELINE_TRIVIAL. Errors: NUM_UES (fewer than two stages), ID (a UE twice,
 * or none), MESSAGE_LENGTH (no room in a chunk), VAL_UNDEFINED (slots),
 * MALLOC. */
int pipeline_open(struct pipeline *pipeline, enum pipeline_memory memory,
                  size_t room, int slots, const int *ues);
void pipeline_close(struct pipeline *pipeline);

/* Runs a job; collective. Blocks until the stream has ended. If `times` is not
 * NULL, it receives the times, which are equal on all UEs. */
int pipeline_run(struct pipeline *pipeline, const struct pipeline_job *job,
                 struct pipeline_times *times);

/* The upper bound in the publication for the time of `chunks` chunks, from the
 * time of one message and of the work on one chunk. */
double pipeline_bound(const struct pipeline *pipeline, int chunks,
                      double message, double work);

/* The time of `chunks` chunks if stages never disturbed each other: the
 * filling of the pipeline, then for each chunk the longer one of a stage's own
 * period and a slot's round trip. */
double pipeline_estimate(const struct pipeline *pipeline, int chunks,
                         double message, double work);

#ifdef __cplusplus
}
#endif

#endif
