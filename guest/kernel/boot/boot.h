/* From the boot loader to the program. */
#ifndef BOOT_BOOT_H
#define BOOT_BOOT_H

#include "abi/abi.h"
#include "lib/types.h"

/* main.c */
void kernel_main(u32 magic, u32 information) __attribute__((noreturn));

/* multiboot.c */
struct boot_data {
    u32 memory_end; /* of private memory, physical */
    u32 first_free; /* above the kernel and all that the loader left */
    u32 module_start, module_end;
    char module_name[PATH_MAX];
};
void multiboot_command_line(u32 information);
void multiboot_read(u32 information, struct boot_data *data);
bool multiboot_find(const char *name, struct boot_data *data);

/* start.c: the module that is to be run. */
u32 start_module(void);

/* exec.c */
u32 exec_image(u32 physical, u32 length, const char *name, u32 *stack);

/* program.c */
u32 program_stack(const char *name, u32 entry, u32 header, u32 headers);
void program_enter(u32 entry, u32 stack) __attribute__((noreturn));

#endif
