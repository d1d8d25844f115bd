/*
 * crf_private.h: the declarations that the files of the library share.
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
extern const int *crf_core_of; /* core numbers, by rank */
extern struct crf_counts crf_counted;

/* A quarter of the shared memory is behind each memory controller; successive
 * pages are on successive controllers. The control block lies before the first
 * controller's pages. */
#define CRF_CONTROLLERS 4u
#define CRF_SLOT (CRF_SHARED / CRF_CONTROLLERS)

/* crf_init.c */
void crf_end_all(void); /* the program has ended: ends all other cores */
void *crf_map(enum scc_memory memory, uint32_t physical, size_t bytes);
void *crf_private_memory(size_t bytes); /* zeroed memory of this core */
int crf_try_guard(uint32_t number); /* true: this core has the register now */
void crf_guard(uint32_t number);    /* takes the test-and-set register of rank
                                     * `number` % crf_all_ranks, polling */
void crf_unguard(uint32_t number);  /* releases it */

/* pages/pages.c: pages have numbers, first those of the data, then of the
 * arena; from crf_own_pages on they are in lent memory, if there is any */
extern uint32_t crf_data_pages, crf_pages, crf_own_pages;
void crf_pages_start(void);
char *crf_page_address(uint32_t page);
uint32_t crf_page_of(const void *address); /* CRF_NO_PAGE outside */
#define CRF_NO_PAGE 0xFFFFFFFFu

/* pages/stack.c: `crf_stack_bytes` is the stack size of a core's first thread,
 * `crf_stacks_pages` the number of pages of all first threads' stacks */
uint32_t crf_stack_bytes(int rank);
uint32_t crf_stacks_pages(void);
void crf_stacks_start(void);

/* crf_take.c: takes the next `count` pages of the arena, which never go back.
 * Returns null if fewer are left; crf_take_pages_at also returns null if the
 * next page is not at `where` */
char *crf_take_pages(uint32_t count, int rank); /* rank: of the first user */
char *crf_take_pages_at(uint32_t count, int rank, const char *where);
uint32_t crf_pages_left(void); /* in the arena, with pages lent so far */
uint32_t crf_pages_used(void); /* data, first stacks and pages taken */

/* pages/lent.c: the number of pages that idle cores lend, which the first call
 * chooses; call with guard 0 held */
uint32_t crf_lend(void);
uint32_t crf_shared_bytes(void); /* CRF_SHARED and what is lent so far */

/* crf_mmap.c: maps memory of this core's kernel, which is not shared */
void *crf_kernel_mmap(void *at, size_t bytes, int protection, int flags, int fd,
                      uint32_t physical);

/* A system call: its number and arguments, as the C library passes them. */
struct crf_call {
    uint32_t sixth, fifth, fourth, third, second, first, number;
};
/* Makes the call. If the kernel cannot access one of its buffers (EFAULT),
 * opens the buffer's pages and makes the call again. */
int32_t crf_kernel_call(const struct crf_call *call);

/* threads/signals/signal.c; crf_handlers is true if the program handles
 * signals */
extern int crf_handlers;
void crf_actions_take(void);
int crf_signal_call(const struct crf_call *call, int32_t *result);
/* threads/turns/exit.c: ends the program if nobody has: _exit, quick_exit */
void crf_exit_at_once(int code);

/* threads/signals/mask.c */
const uint32_t *crf_mask_for_kernel(const uint32_t *wanted);
int32_t crf_mask_call(const struct crf_call *call);

/* threads/signals/interrupt.c: `context` is that of the interrupted code */
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
/* threads/locks/error.c: each error of a call for locks, barriers, conditions,
 * creating, joining or detaching passes through this function, so that rck can
 * observe all errors at one address. `site`: the return address of the failed
 * call. Returns the value that the call must return: `error`, but 0 for the two
 * errors below, which POSIX does not know. */
int crf_error_at(int error, const void *site);
#define crf_error(error) \
    ((error) ? crf_error_at(error, __builtin_return_address(0)) : 0)
enum { CRF_NOT_INITIALISED = 1000, CRF_NOT_JOINED, CRF_CUT_OFF };
int crf_is_blank(const void *at, size_t bytes); /* true if all are 0 */
/* True if the last crf_object found no object of that kind at the address. */
extern int crf_is_new;

/* Returns the object at an address, guarded: only this core may use the object
 * until crf_object_done, which must follow soon, or crf_object_end, which ends
 * the object too. A new object, or with `fresh` an old one, has no holder and
 * empty queues. Too many objects end the program. */
struct crf_object *crf_object(const void *at, enum crf_kind kind, int fresh);
void crf_object_done(struct crf_object *object);
void crf_object_end(struct crf_object *object);
/* Puts the running thread into the object's queue, behind those of its priority,
 * and calls crf_object_done. */
void crf_enqueue(struct crf_object *object, struct crf_queue *queue);
int crf_dequeue(struct crf_queue *queue); /* a thread's number; -1: none */
/* Takes a thread out of a queue; false if the queue does not have it. */
int crf_leave(struct crf_queue *queue, uint32_t thread);
/* Takes all threads out of a queue and returns them as a chain, whose length is
 * crf_count; the caller wakes them after it has released the object. */
uint32_t crf_take_all(struct crf_queue *queue);
uint32_t crf_count(uint32_t chain);
void crf_wake_chain(uint32_t chain);
void crf_wake(int thread);
void crf_rouse(int thread); /* wakes its core: it can go on soon */
void crf_expect_soon(void); /* one of this core can: no sleep before long */
void crf_look_again(void);  /* a short delay between two checks of a wait */
void crf_pause(void);       /* a delay as above, in which other threads run */
int crf_mail(int rank);     /* sends a mail; false if its mailbox is full */
void crf_wake_all(void);    /* sends a mail to each core that sleeps */
/* Sleeps until a mail comes, for at most `milliseconds` of simulated time (-1:
 * without limit). Returns false if a signal of the program or the watch ended
 * the sleep. */
int crf_read_mail(int milliseconds);
void crf_wait_start(void);
void crf_mails_interrupt(void); /* each mail then raises SIGIO here */

/* crf_watch.c: finds cores that have died (systems/svm/owner/watch.h) */
void crf_watch(void);                /* sends a mail to each other core now */
extern volatile uint32_t crf_alarms; /* number of SIGALRM so far */
uint32_t crf_own_signals(void);      /* number of the layer's signals so far */
void crf_watch_while_asleep(void);   /* sets an alarm: in 0.25 s */
void crf_alarm_in(uint32_t microseconds); /* of simulated time */
void crf_watch_while_awake(void); /* call between the checks of a wait */

/* crf_say.c: crf_fail prints an error, ends all cores, this one with code 1 */
_Noreturn void crf_fail(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void crf_say_full(size_t bytes); /* prints, once, that memory is full */
/* prints, once, that a file in another core's memory is not to be found on this
 * one; nothing if the path is not of such a file */
void crf_say_unseen(const char *path);
/* the same for a call of open; `opened` is what the kernel has returned */
void crf_say_opened(const char *path, uint32_t flags, int32_t opened);
void crf_say_fault(const char *address, uint32_t eip, int write);

/* models/: the functions of the memory model that the threads use. An object is
 * released by one thread and acquired by another, which then sees the first
 * one's writes; crf_acquire alone establishes no order (order.h). */
void crf_release_to(const volatile void *object);
void crf_acquire_from(const volatile void *object);
void crf_open_stack(const struct crf_stack *stack);
int crf_await_mail(int milliseconds); /* returns as crf_read_mail */
void crf_last_act(void);              /* the core's last action */

/* threads/turns/turn.c: the threads of this core, which run one at a time */
extern uint32_t crf_self; /* number of the running thread */
struct crf_turn {
    uint32_t number;
    void *stack_pointer; /* saved while others run */
    char *bottom, *top;  /* limits of its stack */
    int waits;           /* true: waits to be woken, or */
    uint64_t until;      /* until this time stamp (0: none) */
    int cancellable;     /* or until cancelled */
    uint32_t signals;    /* or until one of these signals */
    uint32_t mask;       /* blocked signals, a bit each */
    uint32_t pretended;  /* see mask.c */
    int handles;         /* nesting of signal handlers */
    uint32_t handled;    /* handlers run so far */
    uint32_t stack;      /* index in the stack table */
    uint32_t order;      /* order.h: number of it or its task */
    int error;           /* errno, saved */
    char *local;         /* _Thread_local variables, saved */
    struct crf_turn *next;
    uint32_t interrupted; /* while it waits for signals: a handler has run */
    uint32_t priority;    /* as crf_priority returned it last */
    uint32_t raisers;     /* mutexes held that may raise it: protocol.c */
};
extern struct crf_turn *crf_turns, *crf_running;
_Noreturn void crf_work(void);
void crf_sleep(void);                      /* until the thread is woken */
void crf_sleep_until(uint64_t time_stamp); /* or until it is cancelled */
/* Waits in the object's queue, until time stamp `until` at most (0: without
 * limit). Returns true if another thread has taken this one out of the queue;
 * false if it has left the queue itself, because the time has passed or the
 * thread was cancelled. */
int crf_sleep_at(const void *at, enum crf_kind kind, uint64_t until,
                 int cancellable);
void crf_rest(uint32_t cycles);
void crf_look_for_news(void);
void crf_yield(void);
int crf_is_alone(void); /* no other thread on this core */
void crf_arrived(void);
_Noreturn void crf_turn_end(void); /* ends the running thread */

/* threads/turns/policy.c: the priority of a thread, with what mutexes give it;
 * crf_ranked is true if threads have any */
uint32_t crf_priority(uint32_t thread);
extern int crf_ranked;
/* Where the running thread comes in a queue: the links (number + 1; 0: none) of
 * those before and behind it. */
uint32_t crf_place_in(const struct crf_queue *queue, uint32_t *behind);

/* threads/turns/local.c */
void crf_local_find(void);

/* threads/turns/thread.c */
_Noreturn void crf_begin(void); /* starts a thread on its stack */

/* openmp/team/threadprivate.c, linked only if the program has threadprivate
 * variables */
__attribute__((weak)) void crf_omp_keep_first_values(void);

#endif
