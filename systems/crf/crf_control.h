/*
 * crf_control.h: the control block, off-die, which all cores see: threads, the
 * objects that they wait for, files, signals, OpenMP's team, and each model's
 * data about its pages.
 */
#ifndef CRF_CONTROL_H
#define CRF_CONTROL_H

#include <stdint.h>

#include "crf.h"

#define CRF_CORES 48
#define CRF_SHARED 0x04000000u /* bytes of memory that all cores reach */
#define CRF_PAGES_MAX (CRF_SHARED / CRF_PAGE)
#define CRF_ARENA ((char *)0x60000000) /* stacks and heap */
#define CRF_MAIN_STACK 0x400000u       /* of main; of the others, at least: */
#define CRF_LEAST_STACK 0x40000u
#define CRF_NOTICES 16384u /* a power of two */
#define CRF_BUCKETS 1024u  /* objects to wait for, by address */
#define CRF_BUCKET 8u
#define CRF_THREADS 1024
#define CRF_KEYS 128u /* PTHREAD_KEYS_MAX */

/* Waiting threads, by number + 1; 0: none. Each thread's record names the
 * next. */
struct crf_queue {
    volatile uint32_t first, last;
};

/* An object that threads wait for: a lock, a barrier. Its state is here and not
 * at its address, where each core has a copy. */
struct crf_object {
    volatile uint32_t key;           /* its address; 0: free */
    volatile uint32_t kind;          /* enum crf_kind */
    volatile uint32_t holder, count; /* holder: a thread's number + 1 */
    struct crf_queue waiting;
    union {
        struct crf_queue others;   /* readers; threads of a pool */
        volatile uint32_t setting; /* a mutex's type, a barrier's size */
    };
};

/* A thread. Its number modulo crf_all_ranks is the rank of its core. */
enum crf_thread_state { CRF_FREE, CRF_MADE, CRF_NEW, CRF_RUNS, CRF_ENDED };
struct crf_thread {
    volatile uint32_t state; /* enum crf_thread_state */
    volatile uint32_t start, argument, result;
    volatile uint32_t joiner; /* number + 1 */
    volatile uint32_t detached, cancelled;
    volatile uint32_t signals;      /* that it was sent, a bit each */
    volatile uint32_t mask, awaits; /* blocked ones, and those of sigwait */
    volatile uint32_t wake;         /* what it waited for has come */
    volatile uint32_t next;         /* in a queue: number + 1 */
    volatile uint32_t stack;
};

struct crf_key {
    volatile uint32_t used, times, destructor;
};

/* A thread's stack. Stacks stay with their cores; the first ones are before the
 * heap. */
struct crf_stack {
    volatile uint32_t bottom, bytes, rank, taken;
};

/* OpenMP: tasks, dynamically scheduled loops, the team. A task's name is its
 * place in the table; the first ones are the threads' own. */
#define CRF_OMP_THREADS 64
#define CRF_OMP_TASKS 1024u
#define CRF_OMP_DEPENDS 8u
#define CRF_OMP_LOOPS 8u
#define CRF_OMP_ARGUMENTS 64
#define CRF_OMP_REGIONS 0xFFFFFFu
#define CRF_OMP_OWN_TASKS CRF_OMP_THREADS
enum crf_omp_state {
    CRF_OMP_FREE,
    CRF_OMP_WAITS, /* for others, that it depends on */
    CRF_OMP_QUEUED,
    CRF_OMP_RUNS,
    CRF_OMP_ENDED /* but children of its have not */
};
struct crf_omp_task {
    volatile uint32_t state, body, parent, group, children, depends;
    volatile uint32_t waits_for;               /* how many */
    volatile uint32_t reductions;              /* of a group */
    volatile uint32_t depend[CRF_OMP_DEPENDS]; /* address; bit 31: written */
};

struct crf_omp_loop {
    volatile uint32_t number, ended, ordered, unused;
    volatile uint64_t next;
};

struct crf_omp_doacross {
    volatile uint32_t number, ended, done, unused; /* done: bits, shared */
};

struct crf_omp {
    volatile uint32_t busy, region, size, workers, function, count;
    volatile uint32_t argument[CRF_OMP_ARGUMENTS];
    volatile uint32_t schedule, chunk, singles, copyprivate, threads, limit;
    volatile uint32_t generation, arrived, tasks_left, allocator;
    volatile uint32_t reduction[2], reduction_ends[2]; /* of the team's tasks */
    volatile uint32_t threadprivates; /* those with constructors: a list */
    volatile uint32_t queue_first, queue_end, tasks_used, tasks_free;
    volatile uint32_t queue[CRF_OMP_TASKS];
    struct crf_omp_loop loop[CRF_OMP_LOOPS];
    struct crf_omp_doacross doacross[CRF_OMP_LOOPS];
    struct crf_omp_task task[CRF_OMP_TASKS];
};

/* A file that a thread has opened (crf_files.c). */
#define CRF_FILES 64u
#define CRF_PATH 240u
struct crf_file {
    volatile uint32_t used; /* which opening it is; 0: closed */
    volatile uint32_t flags, opening;
    volatile uint32_t owner; /* a pipe's: rank + 1 */
    volatile char path[CRF_PATH];
};

/* An open file; several descriptors may share it (crf_dup.c). */
struct crf_opening {
    volatile uint32_t numbers, offset;
};

/* A signal's action for the kernel: handler, flags, the function that returns
 * from it, signals blocked meanwhile. */
#define CRF_SIGNALS 32u
struct crf_action {
    volatile uint32_t word[5];
};

/* The control block, off-die and uncached. Zero when the chip starts. */
struct crf_control {
    volatile uint32_t ending, exit_asked, dead, notices_end, heap_next,
        next_rank, files_opened, actions_set, names;
    volatile uint32_t process, last_thread; /* the first core's; a number */
    volatile uint32_t signals;    /* to the process: all threads block them */
    volatile uint32_t left, gone; /* models/strong.c: at the end */
    volatile uint32_t asleep[CRF_CORES];
    volatile uint32_t threads_on[CRF_CORES], news[CRF_CORES];
    volatile uint32_t asked[CRF_CORES]; /* mails not read: crf_watch.c */
    volatile uint32_t interrupt_sent[CRF_CORES]; /* interrupt.c */
    struct crf_key key[CRF_KEYS];
    volatile uint8_t committed[CRF_PAGES_MAX]; /* the shared page is valid */
    volatile uint8_t fetched[CRF_PAGES_MAX];   /* of stacks: by another core */
    struct crf_thread thread[CRF_THREADS];
    struct crf_stack stack[CRF_THREADS];
    struct crf_file file[CRF_FILES + 3]; /* and the standard streams */
    struct crf_opening opening[CRF_FILES + 3];
    struct crf_action action[CRF_SIGNALS];
    struct crf_object object[CRF_BUCKETS][CRF_BUCKET];
    struct crf_omp openmp;
    union { /* each model's own */
        /* page, rank << 16; written uncached, read in lines */
        volatile uint32_t notice[CRF_NOTICES]
            __attribute__((aligned(CRF_PAGE)));
        struct { /* systems/svm/owner/owner.h */
            volatile uint32_t owner[CRF_PAGES_MAX];
            volatile uint32_t waiting[CRF_PAGES_MAX][2];
        };
    };
};
#define CRF_CONTROL_SIZE \
    ((sizeof(struct crf_control) + CRF_PAGE - 1) & ~(CRF_PAGE - 1u))

#endif
