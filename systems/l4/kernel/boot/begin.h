/* begin.h: the declarations that the files of this folder share. */
#ifndef BOOT_BEGIN_H
#define BOOT_BEGIN_H

#include "kernel/kernel.h"
#include "l4/boot.h"

extern struct l4_boot boot_data;
void boot_read(u32 information);
u32 option_number(const char *key);
const struct l4_module *module_named(const char *name);
u32 module_map(struct task *task, const struct l4_module *module);
void boot_tasks(void);

#endif
