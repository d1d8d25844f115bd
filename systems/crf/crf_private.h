/*
 * crf_private.h: what the files of the library share.
 */
#ifndef CRF_PRIVATE_H
#define CRF_PRIVATE_H

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

/* Threads that wait, by number + 1; 0: none. Each one's record names the next. */
struct crf_queue {
    volatile uint32_t first, last;
};

/* An object that threads wait for: a lock, a barrier. Its state lies here and
 * not at its address, which is a copy on each core. */
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

/* A thread's number, by ranks, is that of its core: number % crf_all_ranks. */
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

/* Stacks stay those of their cores; the first ones lie before the heap. */
struct crf_stack {
    volatile uint32_t bottom, bytes, rank, taken;
};

/* OpenMP: tasks, loops that are dealt out, the team. A task is named by its
 * place in the table; the first ones are those of the threads themselves. */
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

/* A file that a thread has opened: crf_files.c. */
#define CRF_FILES 64u
#define CRF_PATH 240u
struct crf_file {
    volatile uint32_t used; /* which opening it is; 0: closed */
    volatile uint32_t flags, opening;
    volatile uint32_t owner; /* a pipe's: rank + 1 */
    volatile char path[CRF_PATH];
};

/* Several numbers may be one opening (crf_dup.c). */
struct crf_opening {
    volatile uint32_t numbers, offset;
};

/* What the kernel is told of a signal: handler, flags, what returns from it,
 * signals that wait meanwhile. */
#define CRF_SIGNALS 32u
struct crf_action {
    volatile uint32_t word[5];
};

/* Bytes that a plain write has changed, for `rck run --check races`. */
#define CRF_PLAIN 2048u
struct crf_plain {
    volatile uint32_t word, bytes, rank, at, number;
};

/* Off-die and uncached: all cores see it. Zero when the chip starts. */
struct crf_control {
    volatile uint32_t ready, ending, exit_asked, dead, notices_end, heap_next,
        next_rank, files_opened, actions_set, names;
    volatile uint32_t process, last_thread; /* the first core's; a number */
    volatile uint32_t signals;    /* to the process: all threads block them */
    volatile uint32_t left, gone; /* models/strong.c: at the end */
    volatile uint32_t asleep[CRF_CORES];
    volatile uint32_t threads_on[CRF_CORES], news[CRF_CORES];
    volatile uint32_t asked[CRF_CORES]; /* mails not read: crf_watch.c */
    volatile uint32_t interrupt_sent[CRF_CORES]; /* threads/interrupt.c */
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
        struct {
            volatile uint32_t notice[CRF_NOTICES]
                __attribute__((aligned(CRF_PAGE)));
            volatile uint32_t committer[CRF_PAGES_MAX]; /* pages/race.c */
            volatile uint32_t committed_at[CRF_PAGES_MAX];
            volatile uint32_t plain_commits;
            struct crf_plain plain[CRF_PLAIN];
        };
        struct { /* systems/svm/owner/owner.h */
            volatile uint32_t owner[CRF_PAGES_MAX];
            volatile uint32_t waiting[CRF_PAGES_MAX][2];
        };
    };
};
#define CRF_CONTROL_SIZE \
    ((sizeof(struct crf_control) + CRF_PAGE - 1) & ~(CRF_PAGE - 1u))

extern struct crf_control *crf_control;
extern int crf_my_rank, crf_all_ranks;
extern int crf_core_of[CRF_CORES];
extern struct crf_counts crf_counted;

/* A quarter of the shared memory lies behind each memory controller: pages
 * are dealt out in turn. The control block lies before the first one's. */
#define CRF_CONTROLLERS 4u
#define CRF_SLOT (CRF_SHARED / CRF_CONTROLLERS)

/* crf_init.c */
void crf_end_all(void); /* the program has ended on one core */
void *crf_map(const char *device, uint32_t physical, size_t bytes);
void *crf_private_memory(size_t bytes); /* zero, this core's */
int crf_try_guard(uint32_t number);
void crf_guard(uint32_t number);   /* waits for a test-and-set register */
void crf_unguard(uint32_t number); /* and gives it back */

/* pages/pages.c: pages are numbered: the data, then the arena */
extern uint32_t crf_data_pages, crf_pages;
void crf_pages_start(void);
char *crf_page_address(uint32_t page);
uint32_t crf_page_of(const void *address); /* CRF_NO_PAGE if it is none */
#define CRF_NO_PAGE 0xFFFFFFFFu

/* pages/stack.c */
uint32_t crf_stack_bytes(int rank); /* of the first thread of a core */
uint32_t crf_stacks_pages(void);    /* of all first ones */
void crf_stacks_start(void);

/* crf_heap.c: null if there are none */
char *crf_take_pages(uint32_t count, int rank); /* whose they are at first */

/* crf_mmap.c: the kernel's, not shared */
void *crf_kernel_mmap(void *at, size_t bytes, int protection, int flags, int fd,
                      uint32_t physical);

/* A system call as the C library makes it. */
struct crf_call {
    uint32_t sixth, fifth, fourth, third, second, first, number;
};
int32_t
crf_kernel_call(const struct crf_call *call); /* its buffers are opened */

/* threads/signal.c */
void crf_actions_take(void);
int crf_signal_call(const struct crf_call *call, int32_t *result);

/* threads/mask.c */
const uint32_t *crf_mask_for_kernel(const uint32_t *wanted);
int32_t crf_mask_call(const struct crf_call *call);

/* threads/interrupt.c: `context` is the interrupted code's */
void crf_interrupted(const void *context);
extern volatile uint32_t crf_interrupts;

/* crf_files.c */
int32_t crf_file_call(const struct crf_call *call);

/* crf_wait.c */
enum crf_kind {
    CRF_MUTEX = 1,
    CRF_CONDITION,
    CRF_BARRIER,
    CRF_ONCE,
    CRF_SPIN,
    CRF_READ_WRITE,
    CRF_SEMAPHORE,
    CRF_THREAD,
    CRF_TEAM,
};
/* The object at an address, guarded: only this core looks at it until
 * crf_object_done. With `fresh` it begins anew. */
struct crf_object *crf_object(const void *at, enum crf_kind kind, int fresh);
void crf_object_done(struct crf_object *object);
void crf_object_end(struct crf_object *object);
/* The thread here waits, last in the queue; lets go of the object. */
void crf_enqueue(struct crf_object *object, struct crf_queue *queue);
int crf_dequeue(struct crf_queue *queue); /* a thread's number; -1: none */
/* False if the thread is not in it: somebody has just taken it out. */
int crf_leave(struct crf_queue *queue, uint32_t thread);
/* All that wait, to be woken once the object is let go. */
uint32_t crf_take_all(struct crf_queue *queue);
uint32_t crf_count(uint32_t chain);
void crf_wake_chain(uint32_t chain);
void crf_wake(int thread);
void crf_look_again(void); /* a short while later */
void crf_pause(void);      /* the same; another thread of this core may run */
int crf_mail(int rank);    /* false: its box is full */
void crf_wake_all(void);
/* Sleeps until a mail comes, or for milliseconds (-1: without limit); false if
 * a signal came. */
int crf_read_mail(int milliseconds);
void crf_wait_start(void);
void crf_mails_interrupt(void); /* each sends SIGIO to this core */

/* crf_watch.c */
void crf_watch(void);
extern volatile uint32_t crf_alarms;
uint32_t crf_own_signals(void);
void crf_watch_while_asleep(void);
void crf_alarm_in(uint32_t microseconds);
void crf_watch_while_awake(void);

/* crf_say.c */
_Noreturn void crf_fail(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void crf_say_fault(const char *address, uint32_t eip, int write);

/* models/: what the threads know of it */
void crf_open_stack(const struct crf_stack *stack);
int crf_await_mail(int milliseconds);
void crf_last_act(void); /* the last that this core does */

/* threads/turn.c: the threads of this core, in turn */
extern uint32_t crf_self; /* the number of the one that runs */
struct crf_turn {
    uint32_t number;
    char *stack_pointer; /* while another one runs */
    char *bottom, *top;  /* of its stack */
    int waits;           /* until it is woken, or */
    uint64_t until;      /* this time stamp; 0: none */
    int cancellable;     /* or it is cancelled */
    uint32_t signals;    /* or is sent one of these */
    uint32_t mask;       /* signals that it blocks, a bit each */
    int handles;         /* it is in a signal's handler, or in several */
    uint32_t handled;    /* how many it has been in */
    uint32_t stack;      /* its place in the table */
    int error;           /* errno, while another one runs */
    char *local;         /* and its _Thread_local variables */
    struct crf_turn *next;
};
extern struct crf_turn *crf_turns, *crf_running;
_Noreturn void crf_work(void);
void crf_sleep(void);                     /* until the thread is woken */
int crf_sleep_until(uint64_t time_stamp); /* false: nobody woke it */
/* In the object's queue. False if it has left it: the time has come, or the
 * thread is cancelled. */
int crf_sleep_at(const void *at, enum crf_kind kind, uint64_t until,
                 int cancellable);
void crf_rest(uint32_t cycles);
void crf_look_for_news(void);
void crf_yield(void);
int crf_is_alone(void); /* no other thread on this core */
void crf_arrived(void);
_Noreturn void crf_turn_end(void); /* the thread here is no more */

/* threads/local.c */
void crf_local_find(void);

/* threads/thread.c */
_Noreturn void crf_begin(void); /* a thread, on its stack */

/* openmp/threadprivate.c, if the program has such variables */
__attribute__((weak)) void crf_omp_keep_first_values(void);

#endif
