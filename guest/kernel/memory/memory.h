/* Page frames, page tables, and the program's memory as the kernel reaches it. */
#ifndef MEMORY_MEMORY_H
#define MEMORY_MEMORY_H

#include "lib/types.h"
#include "memory/layout.h"

#define PAGE_DOWN(value) ((u32)(value) & ~(u32)(PAGE_SIZE - 1))
#define PAGE_UP(value) PAGE_DOWN((u32)(value) + PAGE_SIZE - 1)

/* kalloc.c */
void frames_init(u32 first, u32 end);
enum frame_content {
    FRAME_ZERO,  /* cleared by the boot loader */
    FRAME_FRESH, /* never used: none of its lines is in a cache */
    FRAME_USED,
};
u32 frame_alloc(enum frame_content *content);
u32 frames_contiguous(u32 count);
void frame_free(u32 physical);
u32 frames_total(void);
u32 frames_available(void);
u32 frames_most(void);

/* vm.c */
extern char kernel_end[];
u32 vm_kernel_physical(const void *address);
void vm_init(void);
u32 *vm_entry(u32 address);
s32 vm_map(u32 address, u32 physical, u32 bits);
u32 vm_map_kernel(u32 physical, u32 length, u32 bits);
u32 vm_new_stack(u32 size);
void vm_clear_page(u32 address);
void vm_clear_fresh_page(u32 address);

/* copy.c */
bool user_readable(u32 address, u32 length);
bool user_writable(u32 address, u32 length);
s32 user_part(u32 address, u32 *length, bool write);
s32 copy_in(void *to, u32 from, u32 length);
s32 copy_out(u32 to, const void *from, u32 length);
s32 copy_in_string(char *to, u32 from, u32 capacity);

/* copy_time.c: nanoseconds from and to a timespec, wide: of 64 bits */
s32 get_time(u32 address, bool wide, u64 *nanoseconds);
s32 put_time(u32 address, u64 nanoseconds, bool wide);

/* fault.c */
#define BEHIND_OBJECT 100 /* mapped, but behind the file's end */
s32 fault_resolve(u32 address, bool write);

/* buffers.c */
u32 buffers_size(void);
u32 buffer_physical(u32 offset);

#endif
