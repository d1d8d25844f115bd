/*
 * crf_private.h: what the files of the library share.
 */
#ifndef CRF_PRIVATE_H
#define CRF_PRIVATE_H

#include <stdint.h>

#include "crf.h"
#include "crf_control.h"
#include "order.h"
#include "scc/claim.h"
#include "scc/map.h"

#define NAME "threads"

extern struct crf_control *crf_control;
extern int crf_my_rank, crf_all_ranks;
extern const int *crf_core_of; /* by rank */
extern struct crf_counts crf_counted;

/* A quarter of the shared memory is behind each memory controller; pages are
 * distributed in turn. The control block is before the first controller's
 * pages. */
#define CRF_CONTROLLERS 4u
#define CRF_SLOT (CRF_SHARED / CRF_CONTROLLERS)

/* crf_init.c */
void crf_end_all(void); /* the program has ended on one core */
void *crf_map(enum scc_memory memory, uint32_t physical, size_t bytes);
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

/* pages/stack.c: `crf_stack_bytes` of a core's first thread, `crf_stacks_pages`
 * of all first ones */
uint32_t crf_stack_bytes(int rank); /* of the first thread of a core */
uint32_t crf_stacks_pages(void);    /* of all first ones */
void crf_stacks_start(void);

/* crf_heap.c: null if there are none */
char *crf_take_pages(uint32_t count, int rank); /* whose they are at first */
uint32_t crf_pages_left(void);

/* crf_mmap.c: the kernel's, not shared */
void *crf_kernel_mmap(void *at, size_t bytes, int protection, int flags, int fd,
                      uint32_t physical);

/* A system call as the C library makes it. */
struct crf_call {
    uint32_t sixth, fifth, fourth, third, second, first, number;
};
int32_t
crf_kernel_call(const struct crf_call *call); /* its buffers are opened */

/* threads/signals/signal.c; crf_handlers: the program handles signals */
extern int crf_handlers;
void crf_actions_take(void);
int crf_signal_call(const struct crf_call *call, int32_t *result);

/* threads/signals/mask.c */
const uint32_t *crf_mask_for_kernel(const uint32_t *wanted);
int32_t crf_mask_call(const struct crf_call *call);

/* threads/signals/interrupt.c: `context` is the interrupted code's */
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
/* The object at an address, guarded: only this core uses it until
 * crf_object_done. With `fresh`, in its initial state. */
struct crf_object *crf_object(const void *at, enum crf_kind kind, int fresh);
void crf_object_done(struct crf_object *object);
void crf_object_end(struct crf_object *object);
/* Puts the running thread at the end of the queue, and releases the object. */
void crf_enqueue(struct crf_object *object, struct crf_queue *queue);
int crf_dequeue(struct crf_queue *queue); /* a thread's number; -1: none */
/* Takes a thread out of a queue; false if another thread has just done so. */
int crf_leave(struct crf_queue *queue, uint32_t thread);
/* Takes all threads out of a queue, to be woken after the object is
 * released. */
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
void crf_say_full(size_t bytes); /* once: that they are not there */
void crf_say_fault(const char *address, uint32_t eip, int write);

/* models/: what the threads use of them. An object is what one thread releases
 * and another acquires; crf_acquire alone orders nothing (order.h). */
void crf_release_to(const volatile void *object);
void crf_acquire_from(const volatile void *object);
void crf_open_stack(const struct crf_stack *stack);
int crf_await_mail(int milliseconds);
void crf_last_act(void); /* the last that this core does */

/* threads/turns/turn.c: the threads of this core, which run in turn */
extern uint32_t crf_self; /* the number of the one that runs */
struct crf_turn {
    uint32_t number;
    void *stack_pointer; /* while another one runs */
    char *bottom, *top;  /* of its stack */
    int waits;           /* until it is woken, or */
    uint64_t until;      /* this time stamp; 0: none */
    int cancellable;     /* or it is cancelled */
    uint32_t signals;    /* or is sent one of these */
    uint32_t mask;       /* signals that it blocks, a bit each */
    uint32_t pretended;  /* mask.c */
    int handles;         /* it is in a signal's handler, or in several */
    uint32_t handled;    /* how many it has been in */
    uint32_t stack;      /* its place in the table */
    uint32_t order;      /* order.h: the number of it, or of its task */
    int error;           /* errno, while another one runs */
    char *local;         /* and its _Thread_local variables */
    struct crf_turn *next;
};
extern struct crf_turn *crf_turns, *crf_running;
_Noreturn void crf_work(void);
void crf_sleep(void);                     /* until the thread is woken */
int crf_sleep_until(uint64_t time_stamp); /* false: nobody woke it */
/* Waits in the object's queue. False if the thread has left it: the time has
 * passed, or the thread is cancelled. */
int crf_sleep_at(const void *at, enum crf_kind kind, uint64_t until,
                 int cancellable);
void crf_rest(uint32_t cycles);
void crf_look_for_news(void);
void crf_yield(void);
int crf_is_alone(void); /* no other thread on this core */
void crf_arrived(void);
_Noreturn void crf_turn_end(void); /* the thread here is no more */

/* threads/turns/local.c */
void crf_local_find(void);

/* threads/turns/thread.c */
_Noreturn void crf_begin(void); /* a thread, on its stack */

/* openmp/team/threadprivate.c, if the program has such variables */
__attribute__((weak)) void crf_omp_keep_first_values(void);

#endif
