/*
 * lpel.h: tasks and bounded streams on cores that share no coherent memory,
 * after LPEL on the SCC [karavadara-lpel].
 *
 * A program is a graph: tasks that read messages from streams and write
 * messages to streams. All cores run the same program: lpel_init, lpel_run with
 * a function that builds the graph, lpel_finalize. Rank 0 is the conductor, all
 * others are workers (LPEL_MESSAGES: all are workers).
 *
 * A task runs on any worker, and may continue on another one after each
 * message. It may keep data on its stack and in blocks of lpel_malloc; each
 * core has its own static variables. A message is a block of lpel_malloc that
 * belongs to the task that has read it, until that task writes or frees it. A
 * pointer inside a message must point to such a block too; with LPEL_MESSAGES a
 * message is copied, and pointers in it are not valid elsewhere.
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

/* The configuration; zero means the default in every field. */
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

/* Starts the library; collective. Removes RCCE's part from the arguments. */
void lpel_init(int *argc, char ***argv, const struct lpel_config *config);
/* Collective: builds the graph on the conductor (LPEL_MESSAGES: equally on all
 * cores), runs it and returns when all tasks have ended. */
void lpel_run(void (*build)(void *), void *argument);
void lpel_finalize(void);
int lpel_rank(void);
int lpel_ranks(void);
/* The first rank that runs only tasks bound to it; lpel_ranks() if none. */
int lpel_outside(void);
enum lpel_variant lpel_variant(void);
/* The variant named "uncached", "stacks" or "messages"; -1 for another name. */
int lpel_variant_named(const char *name);

/* A stream of up to `capacity` messages, 1 to 4096. With LPEL_MESSAGES a stream
 * between two cores has no bound, because messages arrive without a request.
 * The name is a string constant. */
lpel_stream *lpel_stream_new(const char *name, int capacity);
/* A task that runs function(copy of the argument's bytes), on rank `home` or
 * LPEL_ANY. It starts with lpel_start, after its streams were given to it.
 * LPEL_MESSAGES distributes tasks without a home over the cores in turn; tasks
 * that a running task creates stay on its core. */
lpel_task *lpel_task_new(const char *name, void (*function)(void *),
                         const void *argument, size_t bytes, int home);
/* Gives one end of a stream to a task that was not started, or to lpel_self.
 * Each stream has one reader and one writer. */
void lpel_input(lpel_task *task, lpel_stream *stream);
void lpel_output(lpel_task *task, lpel_stream *stream);
/* Starts a task. Returns its number, for lpel_kill; the task may end at any
 * time from now. */
uint32_t lpel_start(lpel_task *task);
lpel_task *lpel_self(void);
/* Ends a task, which happens in its next call; its streams end with it. Numbers
 * are practically never reused: killing an ended task does nothing. */
void lpel_kill(uint32_t number);
/* Calls the function on the core's own stack, which is cached: for pieces of
 * work that call no function of LPEL. They may use static arrays as scratch. */
void lpel_compute(void (*function)(void *), void *argument);
/* Lets other tasks run. */
void lpel_yield(void);

/* The following functions are for tasks. When a task's function returns, its
 * streams are closed. */
/* Reads the next message; NULL: the writer has closed the stream. */
void *lpel_read(lpel_stream *stream);
/* Writes a message; waits while the stream is full. LPEL_CLOSED: the reader has
 * gone, and the message is freed. */
int lpel_write(lpel_stream *stream, void *message);
/* Writes without waiting; LPEL_FULL: the message stays the caller's. */
int lpel_try_write(lpel_stream *stream, void *message);
/* Waits until one of the streams has a message, and returns its index; streams
 * with messages take turns. -1: all are closed and empty. Null pointers are
 * skipped. */
int lpel_poll(lpel_stream *const *streams, int count);
void lpel_close(lpel_stream *stream);
#define LPEL_CLOSED (-1)
#define LPEL_FULL (-2)

/* Memory that all cores see at one address (LPEL_MESSAGES: this core's own), in
 * lines of 32 bytes. Ends the run when the donors are exhausted. */
void *lpel_malloc(size_t bytes);
void lpel_free(void *block); /* of any core; NULL is nothing */
size_t lpel_size(const void *block);
struct lpel_usage {
    uint32_t blocks, bytes; /* in use */
    uint32_t chunks_bytes;  /* taken from the donors */
    uint32_t damaged;       /* free lists that do not add up */
};
/* Collective, between runs: the sums of all cores. */
struct lpel_usage lpel_usage(void);

/* Microseconds of the chip's clock, which is equal on all cores. */
uint64_t lpel_time_us(void);
/* Prints on the conductor (LPEL_MESSAGES: on each core) a line for each task
 * name:
 * task NAME instances N messages N shortest US longest US total US */
void lpel_report(void);
/* Ends the run on all cores. */
void lpel_fail(const char *hint, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
