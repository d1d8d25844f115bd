/* The threads of the program, all on this core: who runs, who is ready, who
 * waits, and for what. */
#ifndef PROCESS_THREAD_H
#define PROCESS_THREAD_H

#include "abi/abi_signal.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"

struct trapframe;
struct user_desc;

#define TLS_ENTRIES 3u
#define NEVER (~0ull)

/* A signal that was sent, until a thread takes it. */
struct sent_signal {
    s32 code;
    u32 first, second; /* kill: process, user; timer: its number */
    u32 value;         /* what the sender of sigqueue or the timer gave */
};

struct thread_signals {
    u64 blocked, pending;
    struct sent_signal sent[SIGNALS + 1];
    struct sigstack alternate;
    /* rt_sigsuspend and others: the mask to restore once a handler was
     * entered. */
    u64 suspended_mask;
    bool suspended;
    /* A call that a signal ended may be made again: its number. */
    bool restarts;
    u32 call;
};

enum thread_state { THREAD_READY, THREAD_RUNNING, THREAD_WAITING };

/* What a thread waits for: any event, its time alone, or, all other values,
 * the futex word at that address. A signal that it does not block ends each
 * of them. */
#define WAIT_ANY 0u
#define WAIT_TIME 1u

struct thread {
    u32 stack_pointer;    /* in the kernel, while another thread runs */
    u32 stack_top;        /* of the thread's stack in the kernel */
    struct thread *older; /* in the list of all threads */
    struct thread *next;  /* in the queue of those that are ready */
    s32 id;
    enum thread_state state;
    u32 waits_for;
    u32 bitset;      /* of a futex wait: which wakes count */
    u32 wait_number; /* who has waited longest is woken first */
    bool woken;      /* by futex_wake, not by time or signal */
    u64 wake_time;   /* nanoseconds since reset, or NEVER */
    u64 used;        /* cycles, in turns before this one */
    u32 clear_id;    /* the word to clear and wake at the thread's end, or 0 */
    struct trapframe *frame;
    u32 fault_address;
    u64 tls[TLS_ENTRIES];
    struct x87_state fpu;
    struct thread_signals signals;
};

/* schedule.c */
extern struct thread *current;
extern struct thread *threads; /* the youngest of all that live */
/* There was more than one thread. Until then a wait needs no scheduler. */
extern bool threading;
/* Another thread should run before the program goes on. */
extern bool turn_over;
extern u64 turn_end;
void thread_add(struct thread *thread);
void thread_wait(u32 what, u64 until);
void thread_wake(struct thread *thread);
void thread_event(void);
void thread_look(void);
extern u32 thread_events; /* how many there were: epoll's edges */
extern u32 thread_told;   /* of them those that began in this process */
void thread_due(u64 now);
void thread_yield(void);
void thread_leave(void) __attribute__((noreturn));
void thread_alone(void);
void thread_become_first(void);
u64 threads_next_time(void);
void wait_for_event(void);

/* thread.c */
u32 threads_count(void);
void threads_init(void);
void threads_leave(void);
void threads_copied(void);
struct thread *thread_of(s32 id);
s32 thread_new(u32 stack, const struct user_desc *tls, struct thread **out);
void thread_exit(u32 code) __attribute__((noreturn));

/* futex.c */
s32 futex_wait(u32 address, u32 expected, u32 bitset, u64 until);
s32 futex_wake(u32 address, u32 count, u32 bitset);
s32 futex_requeue(u32 address, u32 wake, u32 move, u32 target);

/* switch.S */
void stack_switch(u32 *saved, u32 stack_pointer);

#endif
