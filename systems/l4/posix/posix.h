/*
 * posix.h: the declarations that the files of this folder share. The rest of
 * the server is our ordinary kernel's sources.
 *
 * Addresses below FRAMES are the program's, and this server's at once.
 * Functions give 0 (L4_OK) or an error of the microkernel's (l4/numbers.h).
 */
#ifndef POSIX_H
#define POSIX_H

#include "lib/l4.h"
#include "lib/types.h"

/* Above the program's addresses: private memory, as far as there is some; the
 * image (guest.toml); devices; what the kernel put there. */
#define FRAMES 0xC0000000u
#define FRAMES_BYTES 0x28000000u
#define DEVICES 0xEC000000u
#define DEVICES_END 0xEFF00000u
#define TRANSIT 0xEFF00000u /* a page on its way from io to the program */
#define PAGER_UTCB 0xEFFFC000u

#define CORES 48u

/* Of a frame that program and server have: three nodes and parts of tables. */
#define KERNEL_BYTES_FRAME 256u

/* Capability slots of the server, after those that every task has. */
enum {
    SLOT_PROGRAM = L4_SLOT_FREE, /* its task */
    SLOT_RUNS,                   /* its thread */
    SLOT_GATE,                   /* to this server */
    SLOT_CONTEXT,
    SLOT_OUT, /* bytes to COM1, as they are */
    SLOT_ERROR,
    SLOT_PAGER, /* the thread that serves this server's own page faults */
    SLOT_PAGER_GATE,
    SLOT_PAGER_CONTEXT,
    SLOT_INTERRUPTS, /* of other cores, once they are wanted */
    SLOT_BIRTH,      /* the first server's second thread (birth.c) */
    SLOT_PINS,       /* by core, once they are wanted */
    /* By number of a process (family/family.h). All servers have the events of all;
     * the first one has the others' tasks, threads, and gates for them. */
    SLOT_EVENTS = SLOT_PINS + CORES,
    SLOT_TASKS = SLOT_EVENTS + 14,
    SLOT_THREADS = SLOT_TASKS + 14,
    SLOT_GATES = SLOT_THREADS + 14,
    SLOTS_USED = SLOT_GATES + 14,
};

_Static_assert(SLOTS_USED <= 128, "a task has 128 capability slots");

/* Words of the messages of interrupts. */
#define INTERRUPTS_WORD 1 /* of other cores */
#define EVENT_WORD 2      /* another process of this core did something */

struct trapframe;

/* The UTCB that this server uses now (pager.c). */
extern struct utcb *l4_own_utcb;

/* frames.c: vm_reserve takes the rest of private memory for the program.
 * frame_bring, frames_bring: this server has the frame of the physical address,
 * the frames of a range, from FRAMES on. frames_again: whether an address that
 * faulted is there now, in a server that is a copy. */
void vm_reserve(void);
void frame_bring(u32 physical);
void frames_bring(u32 from, u32 end);
bool frames_again(u32 address);

/* vm.c: vm_show
 * maps the page at the address, whose entry must be present, into a task:
 * SLOT_PROGRAM, or L4_SLOT_TASK for this server; `write`: it is about to be
 * written. L4_NO_RIGHT: io gives no such page. vm_present: the entry permits
 * the program such an access. vm_physical: the address that the entry has.
 * vm_copy: makes a copy of the memory that another process has; 0 or an error.
 * vm_frames: how many frames it takes. vm_leave gives them back. */
s32 vm_show(u32 task, u32 address, bool write);
bool vm_present(u32 address, bool write);
u32 vm_physical(u32 address);
s32 vm_copy(void);
u32 vm_frames(void);
void vm_leave(void);

/* chip.c: registers by their physical addresses; a page of the memory type in
 * bits, to this server's address, to be written if bits has 2. */
s32 chip_read(u32 physical, u32 *value);
s32 chip_write(u32 physical, u32 value);
s32 chip_set(u32 physical, u32 bits, u32 *old);
s32 chip_map(u32 physical, u32 bits, u32 address);
s32 chip_interrupts(u32 slot);

/* access.c: performs the instruction of the frame, which faulted because it
 * accesses a register. */
void access_register(struct trapframe *frame);

/* event.c: event_wait returns the timeout bits of an invocation's mode that
 * waits no longer than to the next timer event; L4_FOREVER if no timer is set.
 * event_take handles a due timer, and other cores' interrupts if `m` is their
 * message. */
u32 event_wait(void);
void event_take(s32 result, const struct l4_message *m);

/* family/turn.c: turn_give lets the servers of other processes go on, and tells
 * those that wait what happened here; `waits`: this one shall be told, too. */
void turn_take(void);
void turn_give(bool waits);

/* family/birth.c: performs a request for the server of another process */
s32 birth_serve(u32 request, u32 number);

/* family/relatives.c: family_told: other processes did something. family_wait
 * waits for the end of all but the first; family_end ends one that is not. */
void family_told(void);
bool family_is_child(void);
void family_wait(void);
void family_end(u32 reason, u32 code) __attribute__((noreturn));

/* For a server that is a copy of another one: what the microkernel knows of it
 * is new. */
void frames_copied(void);  /* frames.c */
void chip_copied(void);    /* chip.c */
void events_copied(void);  /* event.c */
void program_copied(void); /* enter.c */

/* main.c: makes the program's task */
void program_make(void);

/* pager.c: starts the thread that serves this server's own page faults */
void pager_start(void);

#endif
