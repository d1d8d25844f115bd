/*
 * boot.h: the boot information: memory, modules and command line from the boot
 * loader, the core's number and clock from its registers (the clock from mhz=
 * of the command line, if given). The kernel maps this page, read-only, at
 * L4_BOOT_INFORMATION for sigma0 and the root task.
 */
#ifndef L4_BOOT_H
#define L4_BOOT_H

#include <stdint.h>

#define L4_MODULES_MAX 32
#define L4_NAME_MAX 32

/* Capability slots that are filled when sigma0 and the root task start. */
enum {
    L4_SLOT_TASK = 1,
    L4_SLOT_THREAD = 2,
    L4_SLOT_LOG = 3,
    L4_SLOT_MEMORY = 4,    /* sigma0: the right to map memory */
    L4_SLOT_FACTORY = 4,   /* root */
    L4_SLOT_SIGMA0 = 5,    /* a gate of sigma0's first thread */
    L4_SLOT_PIN = 6,       /* root, io: LINT0, other cores' interrupts */
    L4_SLOT_CORE = 7,      /* the right to end the core. Of several programs of
                            * a plan each has a gate of the root task instead,
                            * which takes these operations as messages. It
                            * replies to L4_CORE_LEAVE when all have left, with
                            * the first exit code that is not 0. */
    L4_SLOT_REGISTERS = 8, /* root, io: registers of the chip */
    L4_SLOT_SERVER = 9,    /* a gate of the server that the plan names */
    L4_SLOT_FREE = 10,     /* the first empty slot */
};

struct l4_module {
    uint32_t start, end;    /* physical: the first byte, which begins a page;
                             * the first byte after the module */
    char name[L4_NAME_MAX]; /* without folders; cut after 31 characters */
};

struct l4_boot {
    /* The core's number; its clock, and the clock's period. */
    uint32_t core, megahertz, cycle_picoseconds;
    uint32_t memory_start, memory_end; /* physical; after the kernel's memory */
    uint32_t command_line;             /* physical, ends with a zero */
    uint32_t module_count;
    struct l4_module modules[L4_MODULES_MAX];
};

#endif
