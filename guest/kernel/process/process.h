/* The one process: its segments, its timer, its end. */
#ifndef PROCESS_PROCESS_H
#define PROCESS_PROCESS_H

#include "lib/types.h"

struct siginfo;
struct trapframe;
struct user_desc;

/* segment.c */
void segment_init(void);
s32 segment_set_tls(struct user_desc *description);
s32 segment_get_tls(struct user_desc *description);
void segment_use_ldt(const u64 *table, u32 entries);
void segments_leave(void);
u64 segment_encode(const struct user_desc *wanted);
bool segment_is_empty(const struct user_desc *wanted);

/* timer.c */
void timer_interrupt(void);
bool timer_sleep_until(u64 nanoseconds);
void timer_wait(u64 nanoseconds);
void timer_idle(void);
void timer_set_alarm(u64 value, u64 interval, u64 *old_value,
                     u64 *old_interval);
void timer_get_alarm(u64 *value, u64 *interval);

/* exit.c */
void exit_normally(u32 code) __attribute__((noreturn));
void exit_by_signal(const struct siginfo *info, const struct trapframe *frame,
                    u32 vector) __attribute__((noreturn));
void exit_by_panic(u32 eip, u32 address, u32 vector) __attribute__((noreturn));

#endif
