/*
 * lpel.h: tasks and bounded streams on cores that share no coherent memory,
 * after LPEL on the SCC [karavadara-lpel].
 *
 * A program is a graph: tasks that read messages from streams and write
 * messages to streams. All cores run the same program: lpel_init, lpel_run
 * with a function that builds the graph, lpel_finalize. Rank 0 is the
 * conductor, all others are workers (LPEL_MESSAGES: all are workers).
 *
 * A task runs on any worker, and goes on on another one after each message.
 * So it may keep what it likes on its stack and in blocks of lpel_malloc;
 * static variables are each core's own. A message is a block of lpel_malloc
 * that belongs to whoever has read it until it is written or freed. What a
 * pointer inside a message points to must be such a block too; with
 * LPEL_MESSAGES a message is copied, and pointers in it do not travel.
 *
 * Errors of use end the run on all cores with what, where and a hint.
 */
#ifndef LPEL_H
#define LPEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lpel_variant {
    LPEL_UNCACHED,      /* NDLB: demand, all shared memory uncached */
    LPEL_CACHED_STACKS, /* DLB: demand, stacks cached, flushed at hand-over */
    LPEL_MESSAGES,      /* MLB: tasks stay on their cores, TCP between them */
};

#define LPEL_DONORS 8
#define LPEL_ANY (-1)

/* Zero means the default everywhere. */
struct lpel_config {
    enum lpel_variant variant;
    int donors[LPEL_DONORS]; /* cores whose memory is borrowed */
    int donor_count;         /* 0: four that do not run, one a controller */
    int segments;            /* of 16 MB in all; 8 */
    int outside;  /* so many last ranks run only tasks bound to them */
    int chunk_kb; /* what a core takes at once; 256 */
    int stack_kb; /* of each task; 16. Bound ones have 32 at least */
    int messages; /* that a task reads before it hands over; 1 */
    int limit_ms; /* longest time between two calls; none */
};

typedef struct lpel_task lpel_task;
typedef struct lpel_stream lpel_stream;

/* Collective; takes RCCE's part out of the arguments. */
void lpel_init(int *argc, char ***argv, const struct lpel_config *config);
/* Collective: builds the graph on the conductor (LPEL_MESSAGES: on all cores
 * alike), runs it and returns when all tasks have ended. */
void lpel_run(void (*build)(void *), void *argument);
void lpel_finalize(void);
int lpel_rank(void);
int lpel_ranks(void);
/* The first rank that runs only tasks bound to it; lpel_ranks() if none. */
int lpel_outside(void);
enum lpel_variant lpel_variant(void);
/* "uncached", "stacks", "messages" -> variant; -1: none of them */
int lpel_variant_named(const char *name);

/* A stream of up to `capacity` messages, 1 to 4096. With LPEL_MESSAGES one
 * between two cores has no bound, as messages arrive unasked. The name is
 * a string constant. */
lpel_stream *lpel_stream_new(const char *name, int capacity);
/* A task that runs function(copy of the argument's bytes), on rank `home` or
 * LPEL_ANY. It starts with lpel_start, after its streams were given to it.
 * LPEL_MESSAGES deals tasks without a home out to the cores in turn; those
 * that a running task makes stay on its core. */
lpel_task *lpel_task_new(const char *name, void (*function)(void *),
                         const void *argument, size_t bytes, int home);
/* One end of a stream goes to a task that was not started, or to lpel_self.
 * Each stream has one reader and one writer. */
void lpel_input(lpel_task *task, lpel_stream *stream);
void lpel_output(lpel_task *task, lpel_stream *stream);
/* Starts a task. Returns its number, for lpel_kill; the task may end at any
 * time from now. */
uint32_t lpel_start(lpel_task *task);
lpel_task *lpel_self(void);
/* A number is as good as never used again: killing an ended task is nothing.
 * A killed task ends in its next call, its streams with it. */
void lpel_kill(uint32_t number);
/* Calls the function on the core's own stack, which is cached: for pieces of
 * work that call nothing of LPEL. Static arrays may be their scratch. */
void lpel_compute(void (*function)(void *), void *argument);
/* Lets others run. */
void lpel_yield(void);

/* Inside tasks. When a task's function returns, its streams are closed. */
/* The next message; NULL: the writer has closed the stream. */
void *lpel_read(lpel_stream *stream);
/* Waits while the stream is full. LPEL_CLOSED: the reader has gone, the
 * message is freed. */
int lpel_write(lpel_stream *stream, void *message);
/* Writes without waiting; LPEL_FULL: the message stays the caller's. */
int lpel_try_write(lpel_stream *stream, void *message);
/* Waits until one of the streams has a message and gives its index, each in
 * its turn; -1: all are closed and empty. Null pointers are skipped. */
int lpel_poll(lpel_stream *const *streams, int count);
void lpel_close(lpel_stream *stream);
#define LPEL_CLOSED (-1)
#define LPEL_FULL (-2)

/* Memory that all cores see at the same address (LPEL_MESSAGES: the core's
 * own). In lines of 32 bytes; ends the run when donors are exhausted. */
void *lpel_malloc(size_t bytes);
void lpel_free(void *block); /* of any core; NULL is nothing */
size_t lpel_size(const void *block);
struct lpel_usage {
    uint32_t blocks, bytes; /* in use */
    uint32_t chunks_bytes;  /* taken from the donors */
    uint32_t damaged;       /* free lists that do not add up */
};
/* Collective, between runs: all cores' sums. */
struct lpel_usage lpel_usage(void);

/* Microseconds of the chip's clock, the same on all cores. */
uint64_t lpel_time_us(void);
/* The conductor (LPEL_MESSAGES: each core) prints a line a task name:
 * task NAME instances N messages N shortest US longest US total US */
void lpel_report(void);
/* Ends the run on all cores. */
void lpel_fail(const char *hint, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
