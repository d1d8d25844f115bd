/*
 * crf_control.h: the control block, off-die, which all cores can read and
 * write: threads, the objects for which they wait, files, signals, OpenMP's
 * team, and each memory model's data about its pages.
 */
#ifndef CRF_CONTROL_H
#define CRF_CONTROL_H

#include <stdint.h>

#include "crf.h"

#define CRF_CORES 48
#define CRF_SHARED 0x04000000u      /* bytes of memory that all cores reach */
#define CRF_LENT_SEGMENTS 12u       /* most that idle cores lend, of 16 MB */
#define CRF_SHARED_MOST 0x10000000u /* both together */
#define CRF_PAGES_MAX (CRF_SHARED_MOST / CRF_PAGE)
#define CRF_ARENA ((char *)0x60000000) /* the address of stacks and heap */
#define CRF_LINES ((char *)0x70000000) /* of the pages off-die */
#define CRF_MAIN_STACK 0x400000u       /* bytes for main */
#define CRF_LEAST_STACK 0x40000u       /* bytes for other threads, or more */
#define CRF_NOTICES 16384u             /* capacity; a power of two */
#define CRF_BUCKETS 1024u              /* hash buckets of objects */
#define CRF_BUCKET 8u                  /* objects in a bucket */
#define CRF_THREADS 1024               /* most threads at a time */
#define CRF_NAME 16                    /* bytes of a thread's name */
#define CRF_KEYS 128u                  /* PTHREAD_KEYS_MAX */

/* A queue of waiting threads: the first and last thread's number + 1; 0: none.
 * Each thread's record contains the number of the next. */
struct crf_queue {
    volatile uint32_t first, last;
};

/* An object for which threads wait, such as a lock or a barrier. Its state is
 * here and not at its address, where each core has a copy of its own. */
struct crf_object {
    volatile uint32_t key;           /* its address; 0: free */
    volatile uint32_t kind;          /* enum crf_kind */
    volatile uint32_t holder, count; /* holder: a thread's number + 1; 0: free;
                                      * by kind */
    struct crf_queue waiting;
    union {
        struct crf_queue others;   /* further waiters: readers; a pool */
        volatile uint32_t setting; /* a mutex's type, a barrier's size */
    };
};

/* A thread of the program; `number modulo crf_all_ranks` is the rank of the
 * core that runs it. */
enum crf_thread_state { CRF_FREE, CRF_MADE, CRF_NEW, CRF_RUNS, CRF_ENDED };
#define CRF_POOLED 2u
struct crf_thread {
    volatile uint32_t state; /* enum crf_thread_state */
    volatile uint32_t start, argument, result;
    volatile uint32_t joiner;   /* thread's number + 1 */
    volatile uint32_t detached; /* CRF_POOLED: a library's, which never ends */
    volatile uint32_t cancelled;
    volatile uint32_t signals;      /* signals sent to it, a bit each */
    volatile uint32_t mask, awaits; /* blocked; awaited by sigwait */
    volatile uint32_t wake;         /* 1: the thread has been woken */
    volatile uint32_t next;         /* next in queue: number + 1 */
    volatile uint32_t stack;
};

/* A thread's policy and priority; `raised`: what a mutex that it holds gives. */
struct crf_rank {
    volatile uint8_t policy, priority, raised, unused;
};

struct crf_key {
    volatile uint32_t used, times, destructor;
};

/* The memory of a thread's stack. After the thread it stays with its core, for
 * the next thread there; the stacks of the cores' first threads lie before the
 * heap. `bottom`: its lowest address; `taken`: true while a thread has it. */
struct crf_stack {
    volatile uint32_t bottom, bytes, rank, taken;
};

/* OpenMP: tasks, dynamically scheduled loops, the team. A task is identified
 * by its index in the table; the first entries are the threads' own tasks. */
#define CRF_OMP_THREADS 64
#define CRF_OMP_TASKS 1024u
#define CRF_OMP_DEPENDS 8u
#define CRF_OMP_LOOPS 8u
#define CRF_OMP_ARGUMENTS 64
#define CRF_OMP_REGIONS 0xFFFFFFu
#define CRF_OMP_OWN_TASKS CRF_OMP_THREADS
enum crf_omp_state {
    CRF_OMP_FREE,
    CRF_OMP_WAITS, /* for tasks it depends on */
    CRF_OMP_QUEUED,
    CRF_OMP_RUNS,
    CRF_OMP_ENDED /* its children have not ended */
};
struct crf_omp_task {
    volatile uint32_t state, body, parent, group, children, depends;
    volatile uint32_t waits_for;               /* number of tasks */
    volatile uint32_t reductions;              /* list of a group */
    volatile uint32_t depend[CRF_OMP_DEPENDS]; /* address; bit 31: written */
};

struct crf_omp_loop {
    volatile uint32_t number, ended, ordered, unused;
    volatile uint64_t next;
};

struct crf_omp_doacross {
    volatile uint32_t number, ended, done, unused; /* done: bits, by part */
};

struct crf_omp {
    volatile uint32_t busy, region, size, workers, function, count;
    volatile uint32_t argument[CRF_OMP_ARGUMENTS];
    volatile uint32_t schedule, chunk, singles, copyprivate, threads, limit;
    volatile uint32_t generation, arrived, tasks_left, allocator;
    volatile uint32_t reduction[2], reduction_ends[2]; /* lists of tasks */
    volatile uint32_t threadprivates; /* list of constructed ones */
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
    volatile uint32_t used; /* number of the opening; 0: closed */
    volatile uint32_t flags, opening;
    volatile uint32_t end; /* address of a struct crf_end (pipes); 0: a file */
    volatile char path[CRF_PATH];
};

/* An open file; several descriptors may share it (crf_dup.c). `numbers`: how
 * many (0: unused); `offset`: of the next byte, below 4 GB. */
struct crf_opening {
    volatile uint32_t numbers, offset;
};

/* A signal's action, as the kernel takes it: handler, flags, the function that
 * returns from the handler, and the signals blocked during it. */
#define CRF_SIGNALS 32u
struct crf_action {
    volatile uint32_t word[5];
};

/* The control block, off-die and uncached. All zero when the chip starts. */
struct crf_control {
    volatile uint32_t ending, exit_asked, dead, notices_end, heap_next,
        next_rank, files_opened, actions_set, names;
    volatile uint32_t process, last_thread; /* process of rank 0; a number */
    volatile uint32_t signals;    /* sent to the process, blocked by all */
    volatile uint32_t left, gone; /* for the end: models/strong.c */
    volatile uint32_t asleep[CRF_CORES];
    volatile uint32_t threads_on[CRF_CORES], news[CRF_CORES];
    volatile uint32_t asked[CRF_CORES]; /* mails not read: crf_watch.c */
    volatile uint32_t interrupt_sent[CRF_CORES]; /* interrupt.c */
    volatile uint32_t lent_known, lent_count, lent[CRF_LENT_SEGMENTS];
    struct crf_key key[CRF_KEYS];
    volatile uint8_t committed[CRF_PAGES_MAX]; /* the shared page is valid */
    volatile uint8_t fetched[CRF_PAGES_MAX];   /* stacks: fetched by others */
    struct crf_thread thread[CRF_THREADS];
    struct crf_stack stack[CRF_THREADS];
    struct crf_file file[CRF_FILES + 3]; /* with the standard streams */
    struct crf_opening opening[CRF_FILES + 3];
    struct crf_action action[CRF_SIGNALS];
    struct crf_object object[CRF_BUCKETS][CRF_BUCKET];
    struct crf_omp openmp;
    volatile uint32_t made[CRF_CORES]; /* files in memory: crf_say_opened */
    volatile char name[CRF_THREADS][CRF_NAME]; /* pthread_setname_np */
    volatile uint32_t ranked; /* true: some thread has or had a priority */
    struct crf_rank rank_of[CRF_THREADS];
    /* The model's own data. */
    union {
        /* Notices: each is the number of a committed page, and the committing
         * rank << 16. Written uncached, read line by line. */
        volatile uint32_t notice[CRF_NOTICES]
            __attribute__((aligned(CRF_PAGE)));
        struct { /* systems/svm/owner/owner.h */
            volatile uint32_t owner[CRF_SHARED / CRF_PAGE];
            volatile uint32_t waiting[CRF_SHARED / CRF_PAGE][2];
        };
    };
};
#define CRF_CONTROL_SIZE \
    ((sizeof(struct crf_control) + CRF_PAGE - 1) & ~(CRF_PAGE - 1u))

#endif
