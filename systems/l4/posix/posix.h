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
    SLOT_PINS,       /* by core, once they are wanted */
};

#define CORES 48u

struct trapframe;

/* vm.c: vm_reserve takes the rest of private memory for the program. vm_show
 * maps the page at the address, whose entry must be present, into a task:
 * SLOT_PROGRAM, or L4_SLOT_TASK for this server; `write`: it is about to be
 * written. L4_NO_RIGHT: io gives no such page. vm_present: the entry permits
 * the program such an access. vm_physical: the address that the entry has. */
void vm_reserve(void);
s32 vm_show(u32 task, u32 address, bool write);
bool vm_present(u32 address, bool write);
u32 vm_physical(u32 address);

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

/* pager.c: starts the thread that serves this server's own page faults */
void pager_start(void);

#endif
