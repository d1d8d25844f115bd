/*
 * loops.c: GNU's functions for loops and sections, over the loops that are
 * dealt out while they run (dispatch.c). `end` lies behind the last iteration.
 */
#include "gomp.h"

void __kmpc_dispatch_init_4(struct crf_place *place, int32_t thread,
                            int32_t kind, int32_t lower, int32_t upper,
                            int32_t step, int32_t chunk);
int32_t __kmpc_dispatch_next_4(struct crf_place *place, int32_t thread,
                               int32_t *last, int32_t *lower, int32_t *upper,
                               int32_t *step);

/* Clang's numbers; ordered ones are 32 higher. */
enum { CHUNKS = 33, EQUAL, DYNAMIC, GUIDED, RUNTIME };
#define ORDERED 32

static _Thread_local uint64_t at_hand; /* iterations of the chunk */

static void begin(int kind, long start, long end, long step, long chunk)
{
    if ((kind & ~ORDERED) == CHUNKS && chunk == 0)
        kind++;
    at_hand = 0;
    __kmpc_dispatch_init_4(NULL, crf_omp_thread, kind, (int32_t)start,
                           (int32_t)(step > 0 ? end - 1 : end + 1),
                           (int32_t)step, (int32_t)chunk);
}

static bool next(long *start, long *end)
{
    int32_t last, lower, upper, step;

    crf_omp_chunk_done(at_hand);
    at_hand = 0;
    if (!__kmpc_dispatch_next_4(NULL, crf_omp_thread, &last, &lower, &upper,
                                &step))
        return false;
    at_hand = (uint64_t)((upper - lower) / step) + 1;
    *start = lower;
    *end = upper + (step > 0 ? 1 : -1);
    return true;
}

/* What a team's other threads call: the loop that the region begins with, and
 * the region. */
static void call(int32_t *thread, int32_t *bound, void (*function)(void *),
                 void *data, int kind, long start, long end, long step,
                 long chunk)
{
    (void)thread;
    (void)bound;
    begin(kind, start, end, step, chunk);
    function(data);
}

static void begin_team(void (*function)(void *), void *data, unsigned threads,
                       int kind, long start, long end, long step, long chunk)
{
    uint32_t arguments[] = {(uint32_t)function, (uint32_t)data, (uint32_t)kind,
                            (uint32_t)start,    (uint32_t)end,  (uint32_t)step,
                            (uint32_t)chunk};

    crf_omp_pushed = (int)threads;
    crf_omp_begin_team((void *)call, 7, arguments);
    begin(kind, start, end, step, chunk);
}

#define LOOP(NAME, KIND)                                                       \
    bool GOMP_loop_##NAME##_start(long start, long end, long step, long chunk, \
                                  long *from, long *to)                        \
    {                                                                          \
        begin(KIND, start, end, step, chunk);                                  \
        return next(from, to);                                                 \
    }                                                                          \
    bool GOMP_loop_##NAME##_next(long *from, long *to)                         \
    {                                                                          \
        return next(from, to);                                                 \
    }

#define TEAM(NAME, KIND)                                                    \
    void GOMP_parallel_loop_##NAME##_start(                                 \
        void (*function)(void *), void *data, unsigned threads, long start, \
        long end, long step, long chunk)                                    \
    {                                                                       \
        begin_team(function, data, threads, KIND, start, end, step, chunk); \
    }                                                                       \
    void GOMP_parallel_loop_##NAME(void (*function)(void *), void *data,    \
                                   unsigned threads, long start, long end,  \
                                   long step, long chunk, unsigned flags)   \
    {                                                                       \
        (void)flags;                                                        \
        begin_team(function, data, threads, KIND, start, end, step, chunk); \
        function(data);                                                     \
        GOMP_parallel_end();                                                \
    }

LOOP(static, CHUNKS)
LOOP(dynamic, DYNAMIC)
LOOP(guided, GUIDED)
LOOP(nonmonotonic_dynamic, DYNAMIC)
LOOP(nonmonotonic_guided, GUIDED)
LOOP(ordered_static, CHUNKS + ORDERED)
LOOP(ordered_dynamic, DYNAMIC + ORDERED)
LOOP(ordered_guided, GUIDED + ORDERED)
TEAM(static, CHUNKS)
TEAM(dynamic, DYNAMIC)
TEAM(guided, GUIDED)
TEAM(nonmonotonic_dynamic, DYNAMIC)
TEAM(nonmonotonic_guided, GUIDED)

/* The schedule that OMP_SCHEDULE names: no chunk is passed. */
#define LOOP_RUNTIME(NAME, KIND)                                               \
    bool GOMP_loop_##NAME##_start(long start, long end, long step, long *from, \
                                  long *to)                                    \
    {                                                                          \
        begin(KIND, start, end, step, 0);                                      \
        return next(from, to);                                                 \
    }                                                                          \
    bool GOMP_loop_##NAME##_next(long *from, long *to)                         \
    {                                                                          \
        return next(from, to);                                                 \
    }

LOOP_RUNTIME(runtime, RUNTIME)
LOOP_RUNTIME(ordered_runtime, RUNTIME + ORDERED)

void GOMP_parallel_loop_runtime_start(void (*function)(void *), void *data,
                                      unsigned threads, long start, long end,
                                      long step)
{
    begin_team(function, data, threads, RUNTIME, start, end, step, 0);
}

void GOMP_loop_end_nowait(void)
{
}

void GOMP_loop_end(void)
{
    GOMP_barrier();
}

/* Sections have the numbers from 1; 0: there is none left. */
unsigned GOMP_sections_next(void)
{
    long number, end;

    return next(&number, &end) ? (unsigned)number : 0;
}

unsigned GOMP_sections_start(unsigned count)
{
    begin(DYNAMIC, 1, (long)count + 1, 1, 1);
    return GOMP_sections_next();
}

void GOMP_parallel_sections_start(void (*function)(void *), void *data,
                                  unsigned threads, unsigned count)
{
    begin_team(function, data, threads, DYNAMIC, 1, (long)count + 1, 1, 1);
}

void GOMP_parallel_sections(void (*function)(void *), void *data,
                            unsigned threads, unsigned count, unsigned flags)
{
    (void)flags;
    GOMP_parallel_sections_start(function, data, threads, count);
    function(data);
    GOMP_parallel_end();
}

void GOMP_sections_end(void)
{
    GOMP_barrier();
}

void GOMP_sections_end_nowait(void)
{
}
