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
 * one for input and one for output. Uncached: in the queue slots in shared
 * memory (RCCE_shmalloc), where they stay; RCCE sends only tokens. Cached: as
 * uncached, but cached, and each stage flushes all of L1 and L2 before it reads
 * a chunk and after it has written it. */
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
    /* The largest number of bytes that one chunk may contain, rounded up to
     * whole lines of 32 bytes. */
    size_t room;
    int stages, slots; /* one stage for each UE; slots: 0 unless shared */
    /* The UE that runs each stage; and the number of the stage, from 0, that
     * this UE runs. */
    int ues[RCCE_MAXNP];
    int stage;
    /* The queue of chunks, if it is shared; otherwise the one or two buffers of
     * this core. */
    unsigned char *chunks;
    /* The memory that RCCE allocated for the queue, if it is shared. */
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
    /* Each stage, the first one after `fill`: processes a chunk of `bytes`
     * bytes and returns its new length; 0 drops the chunk. `out` differs from
     * `in` only if chunks are apart. */
    size_t (*work)(void *context, int stage, const unsigned char *in,
                   unsigned char *out, size_t bytes, size_t room);
    /* Called on the UE of the last stage for each chunk that reaches the end,
     * in order; `bytes`: its length. NULL: chunks end unseen. */
    void (*drain)(void *context, const unsigned char *chunk, size_t bytes);
    void *context;
};

/* Simulated times in seconds; each is the largest of all stages. */
struct pipeline_times {
    /* From the start of the first chunk until all stages have ended. */
    double total;
    /* The mean time that a stage spends on a chunk: `fill`, `work` and `drain`
     * including flushes, and the flushes alone. */
    double work, flush;
    /* The shortest time to send a chunk with its token, or a token: to a
     * partner that waits for it. */
    double message;
    /* The number of chunks that a stage has worked on: those filled. */
    int chunks;
};

/* Fills `ues`, with room for all UEs, with all UEs in the order of the stages
 * that they shall run. */
void pipeline_place(int *ues, enum pipeline_order order);

/* Opens a pipeline with a stage for each UE; collective. `slots`, the number of
 * queue slots, is at least 1 and at most stages - 1 (ignored if memory is
 * private or apart). `ues` contains each UE once, by stage, or is NULL: as
 * PIPELINE_TRIVIAL. Errors: NUM_UES (fewer than two UEs), ID (a UE twice, or
 * none), MESSAGE_LENGTH (`room` 0 or too large), VAL_UNDEFINED (slots), MALLOC.
 */
int pipeline_open(struct pipeline *pipeline, enum pipeline_memory memory,
                  size_t room, int slots, const int *ues);
void pipeline_close(struct pipeline *pipeline); /* frees its memory */

/* Runs a job; collective. Blocks until the stream has ended on all UEs. Returns
 * RCCE_SUCCESS or an error of RCCE. If `times` is not NULL (on all UEs or on
 * none), it receives the times, which are equal on all UEs. */
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
