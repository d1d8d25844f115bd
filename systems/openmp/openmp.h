/*
 * openmp.h: the declarations that the files of this folder share. Clang calls
 * the functions whose names begin with __kmpc_ for OpenMP's directives.
 *
 * team.c           parallel regions, the pool of threads
 * teams.c          teams, distribute, target: one team, no other device
 * barrier.c        barriers of a team
 * static.c         loops whose iterations are divided in advance; sections
 * dispatch.c       loops that threads take in pieces: dynamic, guided, ordered
 * construct.c      single, master, critical, flush, reductions
 * lock.c           the locks of omp.h
 * task.c           tasks: their queue, and the threads that run them
 * depend.c         tasks that wait for others
 * event.c          detached tasks
 * task_reduction.c reductions that tasks take part in
 * directive.c      task, taskwait, taskgroup
 * taskloop.c
 * doacross.c       ordered loops whose iterations wait for others by name
 * threadprivate.c  variables that each thread has of its own
 * allocator.c      omp_alloc and the like
 * affinity.c       where threads are, as a text
 * settings.c       the functions of omp.h, environment variables
 * gnu/             the functions that GCC's code calls, over the ones above
 */
#ifndef CRF_OPENMP_H
#define CRF_OPENMP_H

#include <stdarg.h>

#include "../crf/crf_private.h"
#include "include/omp.h"
#include "../threads/threads.h"

/* The place of a construct in the program's source, as Clang passes it. */
struct crf_place {
    int32_t unused, flags, more[2];
    const char *text;
};

/* The loop that a thread is in, if it is one that is dealt out while it runs
 * (dispatch.c), or whose iterations wait for others (doacross.c). */
struct crf_omp_dealt {
    int kind, ordered, bumped;
    uint64_t trip, chunk, next; /* next: of the static kinds */
    uint64_t lower, step;       /* of the loop's variable */
    uint64_t first;             /* iteration of the chunk at hand */
    uint32_t number;
    struct crf_omp_loop *shared; /* null: a team of one */
};
struct crf_omp_across {
    uint32_t number, loops;
    uint64_t *trip; /* of each loop */
    uint32_t *done; /* null: a team of one */
    struct crf_omp_doacross *shared;
};

/* The OpenMP state of a thread; private to it. A region inside another one has
 * one of its own. */
struct crf_omp_self {
    int number, size; /* in its team */
    int level;        /* parallel regions around it */
    int active;       /* threads of the region of several around it; 0: none */
    uint32_t loops, singles, doacross; /* counts in this region */
    uint32_t task, group;              /* of this thread: indices */
    int final;
    int threads; /* by omp_set_num_threads, for the calling region or task */
    int limit;   /* thread limit of a league; or 0 */
    omp_allocator_handle_t allocator; /* omp_set_default_allocator; or null */
    struct crf_omp_dealt dealt;
    struct crf_omp_across across;
};
extern _Thread_local struct crf_omp_self crf_omp_self;
extern _Thread_local int crf_omp_thread; /* number in the outermost team */

#define CRF_OMP (&crf_control->openmp)
#define CRF_OMP_TEAM ((const void *)12) /* no data is at this address */

/* Bits in a loop's kind, the compiler's argument, for the modifiers monotonic
 * and nonmonotonic; the runtime ignores them. */
#define CRF_OMP_MODIFIERS 0x60000000

/* team.c */
void crf_omp_arguments(uint32_t *to, int32_t count, va_list from);
/* Starts a team whose other threads call the function as crf_omp_call does; the
 * caller is its thread 0 until crf_omp_end_team, which waits for the others. */
void crf_omp_begin_team(void *function, uint32_t count,
                        const uint32_t *arguments);
void crf_omp_end_team(void);
/* Calls function(&thread, &bound, arguments...) with `count` arguments. */
void crf_omp_call(void *function, uint32_t count, const uint32_t *arguments);

/* barrier.c: crf_omp_team returns, guarded, the object that holds the team's
 * state. */
struct crf_object *crf_omp_team(void);
void crf_omp_barrier(void);
/* Wakes threads for tasks. Call crf_omp_queued after `count` tasks were queued,
 * crf_omp_ended after one has ended; both release the team's object. */
void crf_omp_queued(struct crf_object *team, uint32_t count);
void crf_omp_ended(struct crf_object *team);

/* dispatch.c, for code of GCC: the `count` iterations of the chunk at hand are
 * done, of which none, some or all had an ordered part */
void crf_omp_chunk_done(uint64_t count);

/* settings.c */
int crf_omp_threads_wanted(void);
extern _Thread_local int
    crf_omp_pushed; /* num_threads() of the next region; or 0 */
extern omp_sched_t crf_omp_schedule;
extern int crf_omp_chunk;

/* A task as Clang lays it out. Its shared variables follow it; what is needed
 * to copy it lies before it (crf_omp_header). */
struct crf_omp_body {
    char *shareds;
    int32_t (*routine)(int32_t thread, struct crf_omp_body *body);
    int32_t part;
    int32_t (*destructors)(int32_t thread, struct crf_omp_body *body);
    void *data;
};
struct crf_omp_header {
    uint32_t bytes; /* of body and shared variables */
    int32_t flags;
    int32_t threads; /* of a caller that runs it at once */
    int32_t runs;
    struct crf_omp_event *event; /* if the task is detached */
    struct crf_omp_header *next; /* see event.c */
    uint32_t unused[2];          /* aligns the body */
};
static inline struct crf_omp_header *crf_omp_header(struct crf_omp_body *body)
{
    return (struct crf_omp_header *)(void *)body - 1;
}
struct crf_omp_depend {
    uint32_t address, length;
    uint8_t flags;
};
#define CRF_OMP_OUT 14u /* kinds whose tasks run one after another */

/* directive.c */
struct crf_omp_body *__kmpc_omp_task_alloc(struct crf_place *place,
                                           int32_t thread, int32_t flags,
                                           uint32_t body_bytes,
                                           uint32_t shared_bytes,
                                           void *routine);
void __kmpc_taskgroup(struct crf_place *place, int32_t thread);
void __kmpc_end_taskgroup(struct crf_place *place, int32_t thread);

/* tasks/task.c: `fits` selects the queued tasks that this thread may run. */
typedef int crf_omp_fits(uint32_t task);
crf_omp_fits crf_omp_any, crf_omp_child, crf_omp_in_group;
void crf_omp_task_start(void); /* the implicit task of a region */
/* Takes a task for which `fits` returns true out of the queue, the oldest for
 * crf_omp_any and the newest for others, and returns its index; 0 if there is
 * none. Call with the team's guard held. */
uint32_t crf_omp_take(crf_omp_fits *fits);
uint32_t crf_omp_new_record(void);
void crf_omp_free_record(uint32_t task);
void crf_omp_run(uint32_t task);
void crf_omp_run_now(struct crf_omp_body *body);
void crf_omp_submit(struct crf_omp_body *body, uint32_t count,
                    const struct crf_omp_depend *depends);
/* Runs tasks for which `fits` is true until `done` returns true. */
void crf_omp_wait(int (*done)(void), crf_omp_fits *fits);
void crf_omp_put(uint32_t task); /* queues it; guard must be held */
void crf_omp_end(uint32_t task);

/* depend.c */
uint32_t crf_omp_depend_word(const struct crf_omp_depend *depend);
uint32_t crf_omp_waits_for(uint32_t new);
uint32_t crf_omp_queue_waiting(uint32_t ended);
void crf_omp_wait_depends(uint32_t count, const struct crf_omp_depend *depends);

/* Announce the order of the running task for the checker: after the tasks on
 * which it depends or, with `ended` true, before those that depend on it. */
void crf_omp_order_depends(uint32_t count, const volatile uint32_t *words,
                           int ended);
void crf_omp_order_each(uint32_t count, const struct crf_omp_depend *depends,
                        int ended);

/* event.c */
int crf_omp_event_done(struct crf_omp_event *event, uint32_t task);
void crf_omp_event_wait(struct crf_omp_event *event);
int crf_omp_put_off(struct crf_omp_body *body); /* false if it may run */
void crf_omp_events_wait(void); /* all open ones, in a team of one */

/* task_reduction.c */
void crf_omp_order_reductions(void); /* call when a task has ended */
void crf_omp_end_reductions(uint32_t group);

#endif
