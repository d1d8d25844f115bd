/*
 * threads.h: the declarations that the files in turns, locks and signals share.
 *
 * thread.c   threads: create, join, exit
 * turn.c     the threads of one core take turns
 * await.c    what a core does when none of its threads can continue
 * wait.c     how a thread waits: until woken, for a time, in a queue
 * exit.c     the end of the program
 * stack_of.c which stack a thread gets
 * local.c    data of one thread: keys, _Thread_local
 * cancel.c   cancellation, and the handlers that run when a thread ends
 * sleep.c    nanosleep, sched_yield
 * c11.c      the functions of threads.h
 * signal.c   signals to the program: actions, and the thread that gets one
 * mask.c     which signals a thread blocks
 * kill.c     signals to one thread
 * interrupt.c interrupts a thread that computes, so that it handles a signal
 * timer.c    timers that call a function in a thread
 * asynchronous.c aio_read and its family
 * cxx.c      functions of the C++ library whose locks do not lock between cores
 * policy.c   scheduling policies and priorities
 * other.c    small functions, and those without effect here
 * mutex.c    mutexes, spin locks
 * condition.c, barrier.c (barrier and once), read_write.c, semaphore.c,
 * named.c (semaphores with names), error.c (errors of the program),
 * protocol.c (mutexes that raise priorities)
 */
#ifndef CRF_THREADS_H
#define CRF_THREADS_H

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "../crf/crf_private.h"

/* Objects that are not the program's. Their addresses are those at which no
 * data lies. */
#define CRF_ALL_THREADS ((const void *)4)
#define CRF_ALL_KEYS ((const void *)8)
#define CRF_ALL_NAMES ((const void *)16) /* 12: openmp/openmp.h */

/* turn.c: handles mails and signals that have come; returns a thread of this
 * core that can run, null if all wait. */
struct crf_turn *crf_look(void);

/* await.c */
struct crf_turn *crf_await_one(void);

struct crf_thread *crf_self_record(void);
/* turn.c: makes the running thread wait until a time stamp (0: without limit)
 * or until it is woken. */
void crf_wait(uint64_t until);
void crf_tell_news(int rank);

/* mask.c */
void crf_mask_load(uint32_t mask);
void crf_mask_tell(uint32_t mask); /* publishes it for other cores */

/* interrupt.c */
void crf_interrupts_start(void);
void crf_interrupt(int rank);
void crf_mails_read(void);
void crf_drop_mails(void);

/* kill.c, turn.c */
void crf_tell_signal(int thread);
int crf_take_signals(void); /* number of signals */
void crf_wait_for_signals(uint32_t set);

/* exit.c */
void crf_exit_asked(void);      /* another core's thread has called exit */
void crf_find_not_joined(void); /* main returns: the threads that it cuts off */

/* stack_of.c */
int crf_stack_take(int rank, size_t wanted, uint32_t *number);

/* cancel.c */
void crf_clean_up(void); /* calls pthread_cleanup_push's functions */
int crf_cancellable(void);
int crf_cancellable_anywhere(void);
int crf_cancel_now(void);

/* local.c */
void crf_keys_end(void);
size_t crf_local_bytes(void);
void crf_local_begin(char *copy); /* initial values for a new thread */
void crf_local_save(char *copy);
void crf_local_load(const char *copy);

/* barrier.c: crf_once_begin returns true if the caller must run the function,
 * and then call crf_once_end: done, or cancelled */
int crf_once_begin(const void *once);
void crf_once_end(const void *once, int done);

/* policy.c: the policy of a new thread, or the error of its attributes; the
 * priorities of this core's threads; call crf_priority_tell after a change */
int crf_policy_begin(uint32_t thread, const pthread_attr_t *attributes);
void crf_priorities_take(void);
void crf_priority_tell(uint32_t thread);

/* protocol.c: a mutex's attributes as its object's setting keeps them. Call
 * the others when the running thread wants the mutex (true: EINVAL), waits for
 * it, has it, has left it. */
#define CRF_MUTEX_TYPES 3u /* bits of the setting: the mutex's type */
uint32_t crf_mutex_setting(const pthread_mutexattr_t *attributes);
int crf_protocol_refuses(const struct crf_object *lock);
void crf_protocol_waits(const struct crf_object *lock);
void crf_protocol_taken(uint32_t setting);
void crf_protocol_left(uint32_t setting);

/* other.c */
void crf_name_as_mine(uint32_t number);

/* sleep.c */
void crf_back_off(void);

/* True if the time is valid: its nanoseconds are less than a second. */
int crf_is_time(const struct timespec *time);
/* A time of a clock (of CLOCK_REALTIME in crf_time_stamp), converted to a time
 * stamp of this core; never 0. */
uint64_t crf_time_stamp_of(clockid_t clock, const struct timespec *time);
uint64_t crf_time_stamp(const struct timespec *time);
int64_t crf_cycles_of_a_millisecond(void);
int crf_lock(const void *at, enum crf_kind kind, int try_only);
/* True if nobody has used the lock before that was taken last. */
extern int crf_lock_is_new;
int crf_unlock(const void *at, enum crf_kind kind);

/* signals/timer.c: the attributes of a thread that tells of an event */
pthread_attr_t crf_notifying(const struct sigevent *event);

#endif
