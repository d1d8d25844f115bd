/* Handlers of system calls: six arguments in, a result or a negative error
 * number out. Declared from the table. */
#ifndef SYSCALL_H
#define SYSCALL_H

#include "types.h"

#define CALL(number, name, handler, format) s32 sys_##handler(const u32 *args);
#include "syscalls.def"
#undef CALL

#endif
