/*
 * family.h: the processes of a core, which come from one by fork. Each has a
 * server of its own, a copy of its parent's: what it knows of its process is its
 * own, and what all have in common (OF_ALL_PROCESSES) is the same memory in
 * each. One server at a time uses it (turn.c).
 */
#ifndef FAMILY_H
#define FAMILY_H

#include "abi/abi_signal.h"
#include "process/process.h"
#include "process/thread.h"

/* As many as capability slots suffice for. The first is number 0: its server
 * makes and ends the others' (birth.c), and lives as long as the core runs. */
#define PROCESSES_MAX 14u
#define OWN_PAGES_MAX 192u

enum process_state { NOBODY, BEGINS, FAILED, LIVES, ENDED };

struct process {
    volatile enum process_state state;
    bool orphan; /* nobody waits for its end */
    bool waits;  /* its server, for whatever happens */
    s32 id;
    u32 parent; /* number */
    struct process_end end;
    u64 signals;
    struct sent_signal sent[SIGNALS + 1];
    u32 frames[OWN_PAGES_MAX]; /* physical: the server's own pages */
};

extern struct process processes[PROCESSES_MAX];
extern u32 self; /* number of this server's process */

/* turn.c: a process that waits for a message gets one */
void turn_tell(u32 number);

/* birth.c: requests to the first server's second thread. Word: a number whose
 * struct is filled in. */
#define BIRTH_MAKE 1
#define BIRTH_BURY 2
s32 birth_prepare(void);
s32 birth_ask(u32 request, u32 number);

/* fork.c: where a copy's first thread begins; the number that the program knows
 * a process by, and whose process has it, PROCESSES_MAX if nobody's has */
void family_begin(void);
s32 id_of(u32 number);
u32 number_of(s32 id);

#endif
