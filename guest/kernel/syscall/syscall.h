/* System calls: their handlers (six arguments in, a result or a negative error
 * number out; declared from the table), and who calls them. */
#ifndef SYSCALL_SYSCALL_H
#define SYSCALL_SYSCALL_H

#include "lib/types.h"

struct file;
struct trapframe;

#define CALL(number, name, handler, format) s32 sys_##handler(const u32 *args);
#include "syscall/syscalls.def"
#undef CALL

/* syscall.c */
void syscall(struct trapframe *frame);

/* strace.c */
void strace_call(const char *name, const char *format, const u32 *args);
void strace_result(s32 result);

/* sys_file.c */
u32 creation_mask(void);

/* sys_family.c */
s32 family_clone(const u32 *args);

/* sys_poll.c */
u32 ready_of(u32 descriptor);
bool poll_wait_once(u64 deadline, s32 *result);
u64 poll_deadline(s32 milliseconds);
s32 poll_timespec_deadline(u32 address, bool wide, u64 *deadline);
s32 poll_lend_mask(u32 address, u32 size);
s32 poll_return_mask(s32 result);

/* sys_socket.c */
s32 message_readv(struct file *file, u32 vector, u32 count);
s32 message_writev(struct file *file, u32 vector, u32 count);

/* sys_map.c */
extern bool memory_for_others;

/* sys_memory.c */
void memory_set_break(u32 start);
bool memory_promise(u32 length);
s32 memory_remove(u32 start, u32 end);

#endif
