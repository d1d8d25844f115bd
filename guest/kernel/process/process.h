/* The one process: its segments, its timer, its end; its threads: thread.h. */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include "lib/types.h"

/* The end of a child: its status as wait reports it, and the processor time of
 * it and of the children that it has waited for, nanoseconds. */
struct process_end {
    u32 status;
    u64 used;
};

struct sent_signal;
struct siginfo;
struct trapframe;
struct user_desc;

/* segment.c */
void segment_init(void);
s32 segment_set_tls(struct user_desc *description);
s32 segment_get_tls(struct user_desc *description);
s32 segment_put_tls(u64 *tls, const struct user_desc *description);
void segments_save(u64 *tls);
void segments_load(const u64 *tls, u32 kernel_stack);
void segment_use_ldt(const u64 *table, u32 entries);
void segments_leave(void);
u64 segment_encode(const struct user_desc *wanted);
bool segment_is_empty(const struct user_desc *wanted);

/* time/timer.c */
void timer_interrupt(void);
void timer_start(void);
bool timer_of_cpu(void);
bool timer_sleep_until(u64 nanoseconds);
void timer_wait(u64 nanoseconds);
void timer_idle(void);
/* Alarms by number, as setitimer has them: 0 is that of alarm, too. */
#define ALARMS 3u
void timer_set_alarm(u32 number, u64 value, u64 interval);
void timer_get_alarm(u32 number, u64 *value, u64 *interval);

/* What a timer sends: signal 0 is none; thread 0 is the process. */
struct timer_event {
    u32 signal;
    s32 thread;
    bool value_given; /* else the value is the timer's number */
    bool by_date;     /* an absolute time is one of the date */
    s32 whose;        /* processor time it counts: cpu_time.h */
    bool counted;     /* sends nothing: a file's, which is read (timerfd) */
    u32 value;
};

/* time/posix_timer.c */
u64 posix_timers_next(u64 now);
bool posix_timers_of_cpu(void);
void posix_timers_check(u64 now);
s32 posix_timer_new(const struct timer_event *event);
s32 posix_timer_get(u32 number, u64 *left, u64 *interval);
s32 posix_timer_set(u32 number, u64 time, bool absolute, u64 interval);
s32 posix_timer_overruns(u32 number);
s32 posix_timer_delete(u32 number);
u32 posix_timer_taken(u32 number);
bool posix_timer_expired(u32 number);
void posix_timers_forget(u32 signal);
void posix_timers_leave(void);

/* syscall/alone.c: the processes of a core. process_fork makes a copy of the process,
 * which goes on with result 0: on another stack and with its number in a word
 * of its memory, unless these are 0. process_wait waits for the end of a child:
 * this one, or any if it is not above 0; with `poll` only if there is one. Both
 * return the child's number or an error. process_send: 0, -1 and below mean all
 * processes. */
s32 process_id(void);
s32 process_parent(void);
s32 process_group(void);
s32 process_fork(u32 stack, u32 id_word);
s32 process_wait(s32 id, bool poll, struct process_end *end);
s32 process_send(s32 id, u32 number, struct sent_signal signal);

/* exit.c */
void exit_normally(u32 code) __attribute__((noreturn));
void exit_by_signal(const struct siginfo *info, const struct trapframe *frame,
                    u32 vector) __attribute__((noreturn));
void exit_by_panic(u32 eip, u32 address, u32 vector) __attribute__((noreturn));

#endif
