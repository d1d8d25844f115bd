/* Processor time: of the process, and of each of its threads
 * (time/cpu_time.c). */
#ifndef PROCESS_CPU_TIME_H
#define PROCESS_CPU_TIME_H

#include "lib/types.h"

struct thread;

/* A clock counts real time (processor time of nobody), the processor time of
 * the process, or the processor time of the thread with this number. */
#define CPU_OF_NOBODY 0
#define CPU_OF_PROCESS (-1)

void cpu_time_start(void);
void cpu_time_switch(struct thread *before);
void cpu_wait(void);
u64 cpu_waited_nanoseconds(void);

/* Of children that were waited for, and of theirs. */
void cpu_add_child(u64 nanoseconds);
u64 cpu_of_children(void);

/* Clocks of real time, too: */
u64 time_of(s32 whose);
u64 time_due(s32 whose, u64 due, u64 now);

#endif
