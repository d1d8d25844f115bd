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
 * Errors of use print what, where and a hint, and end the run on all cores with
 * exit code 1. Times are simulated.
 */
#ifndef LPEL_H
#define LPEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lpel_variant {
    LPEL_UNCACHED,      /* NDLB: by demand; all shared memory uncached */
    LPEL_CACHED_STACKS, /* DLB: demand; stacks cached, flushed at hand-over */
    LPEL_MESSAGES,      /* MLB: tasks stay on their cores, TCP between cores */
};

#define LPEL_DONORS 8 /* most donors */
#define LPEL_ANY (-1) /* home of a task that runs on any worker */

/* The configuration. In every field, zero means the default. With
 * LPEL_MESSAGES, donors, segments, chunk_kb and outside have no effect. */
struct lpel_config {
    enum lpel_variant variant; /* default LPEL_UNCACHED */
    int donors[LPEL_DONORS];   /* cores, not of this job, that lend memory */
    int donor_count; /* 0: up to four idle cores, if possible of different
                      * controllers */
    int segments;    /* of 16 MB, in all; default 8 */
    int outside;     /* number of last ranks that run bound tasks only */
    int chunk_kb;    /* what a core's allocator takes at a time; default 256,
                   * at least 4 */
    int stack_kb;    /* of each task; default 16, bound ones at least 32 */
    int messages;    /* read by a task before it hands over; default 1 */
    int limit_ms;    /* longest time of a task between two switches; at the
                   * limit, to 1.5 times it, the run fails; default: none */
};

typedef struct lpel_task lpel_task;
typedef struct lpel_stream lpel_stream;

/* Starts the library; collective, once; calls RCCE_init, which removes RCCE's
 * arguments from argc and argv. `config` NULL: all defaults. */
void lpel_init(int *argc, char ***argv, const struct lpel_config *config);
/* Collective: builds the graph on the conductor (LPEL_MESSAGES: equally on all
 * cores), runs it, and returns when all tasks have ended. May be called again.
 * If all tasks wait for each other, the run fails. */
void lpel_run(void (*build)(void *), void *argument);
/* Collective: returns the donors' memory, then calls RCCE_finalize. */
void lpel_finalize(void);
int lpel_rank(void);
int lpel_ranks(void);
/* Returns the first of the last ranks (lpel_config.outside of them) that run
 * only tasks bound to them. All ranks from there on are of this kind. Returns
 * lpel_ranks() if there is none. */
int lpel_outside(void);
enum lpel_variant lpel_variant(void);
/* The variant with the name "uncached", "stacks" or "messages"; -1 for another
 * name. */
int lpel_variant_named(const char *name);

/* Makes a stream of up to `capacity` messages, 1 to 4096. With LPEL_MESSAGES,
 * a stream between two cores has no bound, because messages arrive without a
 * request, and a graph has at most 4096 streams and 4096 tasks. `name` must be
 * a string constant. */
lpel_stream *lpel_stream_new(const char *name, int capacity);
/* Makes a task that runs function(copy of the argument's bytes) on rank `home`
 * (not rank 0, the conductor), or, with LPEL_ANY, on any worker. lpel_start
 * starts it, after its streams have been given to it. LPEL_MESSAGES: any rank;
 * tasks with LPEL_ANY are distributed over the cores in turn; tasks that a
 * running task creates stay on its core. */
lpel_task *lpel_task_new(const char *name, void (*function)(void *),
                         const void *argument, size_t bytes, int home);
/* Gives one end of a stream to a task that has not been started, or to
 * lpel_self(): the task will read it (lpel_input) or write it (lpel_output).
 * Each stream has one reader and one writer. */
void lpel_input(lpel_task *task, lpel_stream *stream);
void lpel_output(lpel_task *task, lpel_stream *stream);
/* Starts a task, once. Returns its number, for lpel_kill; the task may already
 * have ended when the function returns. */
uint32_t lpel_start(lpel_task *task);
lpel_task *lpel_self(void); /* the calling task; NULL outside of tasks */
/* Ends a task at its next call for a stream or of lpel_yield; its streams end
 * too. Numbers are practically never reused: killing an ended task does
 * nothing. An error with LPEL_MESSAGES. */
void lpel_kill(uint32_t number);
/* Called by a task: calls the function on the core's own stack, which is
 * cached: for work that calls no function of LPEL for tasks. The function may
 * use static arrays as scratch memory. */
void lpel_compute(void (*function)(void *), void *argument);
/* Called by a task: gives the core up; the task continues later, on any core
 * that it may run on. */
void lpel_yield(void);

/* The following functions are for tasks. When a task's function returns, its
 * streams are closed. */
/* Reads the next message, waiting for one; NULL if the writer has closed the
 * stream and all messages are read. May give the core up first, if the task
 * has read `messages` of the configuration since it last did. */
void *lpel_read(lpel_stream *stream);
/* Writes a message; waits while the stream is full. Returns 0, or LPEL_CLOSED:
 * the reader has closed the stream, and the message was freed. */
int lpel_write(lpel_stream *stream, void *message);
/* Writes a message without waiting for room. Returns 0, LPEL_CLOSED as
 * lpel_write, or LPEL_FULL: the message was not written and still belongs to
 * the caller. A stream to another core (LPEL_MESSAGES) is never full. */
int lpel_try_write(lpel_stream *stream, void *message);
/* Waits until one of the streams, all of which this task reads, has a message,
 * and returns the stream's index; streams with messages take turns. -1: all
 * are closed and empty, or there are none. Null pointers are skipped. */
int lpel_poll(lpel_stream *const *streams, int count);
/* Closes this task's end of a stream; a reader frees the messages in it. */
void lpel_close(lpel_stream *stream);
#define LPEL_CLOSED (-1)
#define LPEL_FULL (-2)

/* Allocates memory that has one address on all cores (LPEL_MESSAGES: this
 * core's own), in lines of 32 bytes, not cleared, at most 1 GB. Never NULL:
 * ends the run when the donors have no memory left. */
void *lpel_malloc(size_t bytes);
void lpel_free(void *block);         /* of any core; NULL: no effect */
size_t lpel_size(const void *block); /* the bytes that were asked for */
struct lpel_usage {
    uint32_t blocks, bytes; /* allocated and not freed; bytes asked for */
    uint32_t chunks_bytes;  /* taken from the donors; 0: LPEL_MESSAGES */
    uint32_t damaged;       /* cores whose free list is inconsistent */
};
/* Returns the sums of all cores; collective, between runs. */
struct lpel_usage lpel_usage(void);

/* Microseconds of the FPGA's clock, which is equal on all cores. */
uint64_t lpel_time_us(void);
/* Prints on the conductor (LPEL_MESSAGES: on each core) a line for each of the
 * first 64 names of tasks that have ended, for all runs so far; US: a task's
 * time on workers in microseconds at 533 MHz, cache flushes included.
 * task NAME instances N messages N shortest US longest US total US */
void lpel_report(void);
/* Prints an error with a hint, and ends the run on all cores. */
void lpel_fail(const char *hint, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
