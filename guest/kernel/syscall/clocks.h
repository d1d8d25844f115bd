/* What calls about time have in common. */
#ifndef SYSCALL_CLOCKS_H
#define SYSCALL_CLOCKS_H

#include "abi/abi.h"
#include "lib/types.h"

/* sys_time.c */
s32 clock_of(u32 clock, s32 *whose);
bool clock_is_date(u32 clock);
struct timeval32 timeval_of(u64 nanoseconds);

#endif
