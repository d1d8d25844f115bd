/*
 * farm.h: the graph that the benchmarks share: one pipeline, many times.
 *
 *   source -> <split> -> stage .. stage -> <collect> -> sink
 *                     -> stage .. stage ->
 *                            ...
 *
 * farm VARIANT MESSAGES PIPELINES [OUTSIDE]: the last OUTSIDE ranks (default 2)
 * have sources and sinks only. With VARIANT messages, rank 0 deals out and
 * collects, and pipeline n is on rank n in turn.
 */
#ifndef FARM_H
#define FARM_H

#include <stddef.h>
#include <stdint.h>

#define FARM_STAGES 4

/* The head of a message: one line of memory (32 bytes), before the data. */
struct farm_head {
    uint32_t number, unused; /* the number of the message, from 0 */
    uint64_t sent_us;        /* simulated time, by lpel_time_us */
    uint32_t fill[4];
};

struct farm {
    const char *name;
    size_t bytes; /* of a message's data */
    int private;  /* stages have their scratch: they run by lpel_compute */
    struct {
        const char *name;
        void (*work)(void *data);
    } stage[FARM_STAGES];
    void (*fill)(void *data, uint32_t number);
    uint32_t (*sum)(const void *data); /* at the sink; all are added up */
};

/* Runs the program; returns the exit code. */
int farm_main(int argc, char **argv, const struct farm *farm);

/* Copies to or from shared memory, which is uncached, by accesses of 8 bytes.
 * `bytes` is a multiple of 8: a rest would not be copied. */
void farm_copy(void *to, const void *from, size_t bytes);

#endif
