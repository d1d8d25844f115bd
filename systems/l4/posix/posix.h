/*
 * posix.h: the declarations that the files of the personality (the server that
 * performs Linux system calls) share. `user` addresses are addresses in the
 * program; all others are in this server.
 */
#ifndef POSIX_H
#define POSIX_H

#include "l4/elf.h"
#include "lib/l4.h"

#define PAGE 4096u
#define USER_END 0xC0000000u
#define STACK_TOP 0xBFFFF000u
#define STACK_BYTES 0x00800000u
#define MMAP_TOP 0xBF000000u

/* Capability slots of the server, after those that every task has. */
enum {
    SLOT_PROGRAM = L4_SLOT_FREE, /* its task */
    SLOT_RUNS,                   /* its thread */
    SLOT_GATE,                   /* to this server */
    SLOT_CONTEXT,
    SLOT_OUT, /* bytes to COM1, as they are */
    SLOT_ERROR,
};

/* Error numbers of i386 Linux, negative. */
enum {
    EBADF = -9,
    ENOMEM = -12,
    EFAULT = -14,
    EINVAL = -22,
    ENOTTY = -25,
    ESPIPE = -29,
    ENOSYS = -38,
};

struct registers {
    uint32_t eax, ebx, ecx, edx, esi, edi, ebp, eip, esp, eflags;
};

/* memory.c */
int region_add(uint32_t start, uint32_t end, int write);
void region_seal(uint32_t start);
int region_remove(uint32_t start, uint32_t end);
uint32_t region_find(uint32_t bytes);
void memory_share(uint32_t user, const void *page);
uint8_t *memory_at(uint32_t user, int write);
int memory_out(uint32_t user, const void *from, uint32_t bytes);
int memory_in(void *to, uint32_t user, uint32_t bytes);
int memory_write_allowed(uint32_t user);

/* image.c, stack.c */
uint32_t image_load(const struct l4_module *module, struct elf_header *header,
                    uint32_t *headers_user);
void boundary_set(uint32_t end);
uint32_t stack_make(const struct elf_header *header, uint32_t headers_user);
void command_line_read(void);

/* calls.c, calls_memory.c, calls_time.c */
int32_t system_call(const struct registers *r);
void die(const char *why, uint32_t address, uint32_t code)
    __attribute__((noreturn));
void print_error(const char *text);
void print_error_number(uint32_t value, uint32_t base);
int32_t call_brk(const struct registers *r);
int32_t call_mmap(const struct registers *r);
int32_t call_munmap(const struct registers *r);
int32_t call_time(const struct registers *r);
int32_t call_gettimeofday(const struct registers *r);
int32_t call_clock(const struct registers *r);
int32_t call_clock64(const struct registers *r);
int32_t call_sleep(const struct registers *r);
int32_t call_sleep64(const struct registers *r);

#endif
