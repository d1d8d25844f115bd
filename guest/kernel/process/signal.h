/* Signals of the one process and of its threads. */
#ifndef PROCESS_SIGNAL_H
#define PROCESS_SIGNAL_H

#include "lib/types.h"
#include "process/thread.h"

struct sigaction;
struct siginfo;
struct trapframe;

/* signal.c */
u64 signals_blocked(void);
void signals_block(u64 mask);
void signal_send(u32 number, s32 code, u32 field);
bool signal_send_with(u32 number, struct sent_signal signal);
bool signal_send_thread(struct thread *thread, u32 number,
                        struct sent_signal signal);
void signal_fault(const struct siginfo *info, struct trapframe *frame);
bool signal_is_refused(u32 number);
bool signal_waiting(void);
void signal_deliver(struct trapframe *frame);
s32 signal_action(u32 number, u32 action, u32 old_action);
s32 signal_stack(u32 stack, u32 old_stack, u32 esp);
void signals_lend(u64 mask);
void signals_return(void);
void signal_wait_with_mask(u64 mask);
void signals_leave(void);

/* pending.c */
static inline u64 signal_bit(u32 number)
{
    return 1ull << (number - 1);
}
u64 signals_pending(void);
bool pending_room(u32 number);
bool pending_add(struct thread *thread, u32 number, struct sent_signal signal);
void signals_take(u64 mask, struct siginfo *info);
void pending_forget(u32 number);
void pending_drop(const struct thread *thread);
void pending_copied(void);

/* sigframe.c */
bool sigframe_push(struct trapframe *frame, const struct siginfo *info,
                   const struct sigaction *action, u32 stack_top, u64 mask);
s32 sigframe_pop(struct trapframe *frame, u32 address, u64 *mask);

#endif
