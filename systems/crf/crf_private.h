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
#define CRF_STACK 0x40000u             /* of each thread */
#define CRF_NOTICES 16384u             /* a power of two */
#define CRF_BUCKETS 1024u              /* objects to wait for, by address */
#define CRF_BUCKET 8u
#define CRF_THREADS 1024
#define CRF_KEYS 128

/* An object that threads wait for: a lock, a barrier. Its state lies here and
 * not at its address, which is a copy on each core. */
struct crf_object {
    volatile uint32_t key;  /* its address; 0: free */
    volatile uint32_t kind; /* enum crf_kind */
    volatile uint32_t holder, count;
    volatile uint32_t waiting[2]; /* a bit a rank */
    volatile uint32_t more[2];
};

struct crf_thread {
    volatile uint32_t state; /* enum crf_thread_state */
    volatile uint32_t rank, start, argument, result, joiner, detached, unused;
};

/* OpenMP: tasks, loops that are dealt out, the team. A task is named by its
 * place in the table; the first ones are those of the threads themselves. */
#define CRF_OMP_TASKS 1024u
#define CRF_OMP_DEPENDS 8u
#define CRF_OMP_LOOPS 8u
#define CRF_OMP_ARGUMENTS 64
#define CRF_OMP_REGIONS 0xFFFFFFu
struct crf_omp_task {
    volatile uint32_t state, body, parent, group, children, depends, unused[2];
    volatile uint32_t depend[CRF_OMP_DEPENDS]; /* address; bit 31: written */
};

struct crf_omp_loop {
    volatile uint32_t number, ended, ordered, unused;
    volatile uint64_t next;
};

struct crf_omp {
    volatile uint32_t busy, region, size, workers, function, count;
    volatile uint32_t argument[CRF_OMP_ARGUMENTS];
    volatile uint32_t schedule, chunk, singles, copyprivate;
    volatile uint32_t generation, arrived, tasks_left;
    volatile uint32_t queue_first, queue_end, tasks_used, tasks_free;
    volatile uint32_t queue[CRF_OMP_TASKS];
    struct crf_omp_loop loop[CRF_OMP_LOOPS];
    struct crf_omp_task task[CRF_OMP_TASKS];
};

/* Off-die and uncached: all cores see it. Zero when the chip starts. */
struct crf_control {
    volatile uint32_t ready, ending, dead, notices_end, heap_next, keys,
        next_rank;
    volatile uint32_t wake[CRF_CORES], asleep[CRF_CORES], job[CRF_CORES];
    volatile uint32_t asked[CRF_CORES]; /* mails not read: crf_watch.c */
    volatile uint32_t destructor[CRF_KEYS];
    volatile uint8_t committed[CRF_PAGES_MAX]; /* the shared page is valid */
    volatile uint8_t fetched[CRF_PAGES_MAX];   /* of stacks: by another core */
    struct crf_thread thread[CRF_THREADS];
    struct crf_object object[CRF_BUCKETS][CRF_BUCKET];
    struct crf_omp openmp;
    /* page, rank << 16; written uncached, read in lines */
    volatile uint32_t notice[CRF_NOTICES] __attribute__((aligned(CRF_PAGE)));
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
void *crf_map(const char *device, uint32_t physical, size_t bytes);
void crf_guard(uint32_t number);   /* waits for a test-and-set register */
void crf_unguard(uint32_t number); /* and gives it back */

/* pages/pages.c: pages are numbered: the data, then the arena */
extern uint32_t crf_data_pages, crf_pages;
void crf_pages_start(void);
char *crf_page_address(uint32_t page);
uint32_t crf_page_of(const void *address); /* CRF_NO_PAGE if it is none */
#define CRF_NO_PAGE 0xFFFFFFFFu

/* pages/commit.c */
int crf_commit_bytes(uint32_t page, uint32_t from, uint32_t to);
void crf_notify(const uint16_t *pages, uint32_t count);

/* pages/stack.c */
extern char *crf_stack_top; /* of the thread here; null: none runs */
int crf_own_stack(uint32_t page);
uint32_t crf_stack_commit(uint16_t *changed, uint32_t count);
void crf_stack_merge(uint32_t page);

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
/* Notes that this core waits, in one of the object's masks, and lets go. */
void crf_enqueue(struct crf_object *object, volatile uint32_t *mask);
/* Takes a rank out of a mask, the next one after `after`; -1 if it is empty */
int crf_dequeue(volatile uint32_t *mask, int after);
void crf_wake(int rank);
void crf_wake_mask(const uint32_t *mask);
void crf_sleep(void);
int crf_sleep_until(uint64_t time_stamp); /* false: nobody woke this core */
void crf_pause(void);                     /* between two looks */
int crf_mail(int rank);                   /* false: its box is full */
void crf_wake_all(void);
void crf_wait_start(void);

/* crf_watch.c */
void crf_watch(void);
void crf_watch_while_asleep(void);
void crf_watch_while_awake(void);

/* crf_say.c */
_Noreturn void crf_fail(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void crf_say_fault(const char *address, uint32_t eip, int write);

/* threads/thread.c */
_Noreturn void crf_work(void);
int crf_idle_cores(void); /* that have no thread */

/* openmp/threadprivate.c, if the program has such variables */
__attribute__((weak)) void crf_omp_keep_first_values(void);

#endif
