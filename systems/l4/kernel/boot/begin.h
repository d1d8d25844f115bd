/* begin.h: the declarations that the files of this folder share. */
#ifndef BOOT_BEGIN_H
#define BOOT_BEGIN_H

#include "kernel/kernel.h"
#include "l4/boot.h"

extern struct l4_boot boot_data;
/* Reads what the loader left at this physical address, and opens the pool. */
void boot_read(u32 information);
u32 option_number(const char *key); /* "key=" of the command line; 0: none */
/* Ends the core if there is none of this name, or two. */
const struct l4_module *module_named(const char *name);
/* Maps an ELF image into a task; returns its entry, or ends the core. */
u32 module_map(struct task *task, const struct l4_module *module);
void boot_tasks(void); /* sigma0 and the root task */

#endif
