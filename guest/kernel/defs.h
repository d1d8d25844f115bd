/* Every function and variable that crosses a file, grouped by file. */
#ifndef DEFS_H
#define DEFS_H

#include "abi.h"
#include "layout.h"
#include "scc/registers.h"
#include "types.h"

struct file;
struct file_ops;
struct iovec;
struct region;
struct siginfo;
struct status;
struct trapframe;
struct user_desc;

/* apic.c */
void apic_init(void);
void apic_timer_start(u32 cycles);
void apic_enable_pin(void);
void apic_end_of_interrupt(void);

/* cache.c */
void cache_init(void);
void cache_forget_messages(void);
void cache_flush_all(void);

/* buffers.c */
u32 buffers_size(void);
u32 buffer_physical(u32 offset);

/* clock.c */
extern u32 cycle_picoseconds;
void clock_init(void);
u64 clock_nanoseconds(void);
u64 clock_epoch_nanoseconds(void);
u64 cycles_from_nanoseconds(u64 nanoseconds);

/* commandline.c */
/* Standard input: none, what a pipe or file holds, or what somebody types. */
enum { INPUT_NONE, INPUT_STREAM, INPUT_TERMINAL };

struct options {
    u32 core;          /* hardware core number */
    u32 rank;          /* this core's place in the list below */
    u32 core_count;    /* cores that take part */
    const char *cores; /* their numbers or ranges, separated by commas */
    u32 megahertz;
    u32 input; /* what standard input is */
    bool strace;
    bool share;
    char *arguments; /* strings, each ended by a zero */
    u32 argument_count;
    char *environment;
    u32 environment_count;
};
extern struct options options;
void commandline_parse(const char *line);

/* console.c */
extern const struct file_ops console_ops;
void console_init(void);

/* copy.c */
bool user_readable(u32 address, u32 length);
bool user_writable(u32 address, u32 length);
s32 copy_in(void *to, u32 from, u32 length);
s32 copy_out(u32 to, const void *from, u32 length);
s32 copy_in_string(char *to, u32 from, u32 capacity);

/* devices.c */
bool device_path(const char *path);
s32 device_open(const char *path, u32 flags, struct file **out);
s32 device_status(const char *path, struct status *status);
bool device_zero(const struct file *file);
s32 device_map_type(const struct file *file, u32 *type);

/* divide.c */
u64 divide(u64 dividend, u32 divisor, u32 *remainder);
u64 multiply_divide(u64 value, u32 factor, u32 divisor);

/* exec.c */
u32 exec_image(u32 physical, u32 length, const char *name, u32 *stack);

/* exit.c */
void exit_normally(u32 code) __attribute__((noreturn));
void exit_by_signal(const struct siginfo *info, const struct trapframe *frame,
                    u32 vector) __attribute__((noreturn));
void exit_by_panic(u32 eip, u32 address, u32 vector) __attribute__((noreturn));

/* fault.c */
s32 fault_resolve(u32 address, bool write);

/* file.c */
s32 file_new(const struct file_ops *ops, u32 flags, struct file **out);
void file_release(struct file *file);
struct file *file_of(u32 descriptor);
bool descriptor_available(void);
s32 descriptor_new(struct file *file, u32 lowest, bool close_on_exec);
s32 descriptor_set(u32 descriptor, struct file *file, bool close_on_exec);
s32 descriptor_close(u32 descriptor);
bool descriptor_flag(u32 descriptor);
void descriptor_set_flag(u32 descriptor, bool close_on_exec);

/* hostchannel.c */
void host_init(void);
bool host_present(void);
u8 *host_request_buffer(void);
const u8 *host_call(u32 service, u32 length, u32 *reply_length);
void host_write(u32 offset, u32 value);

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

/* mailbox.c */
void mailbox_interrupt(void);
void mailbox_open(bool interrupts);
s32 mailbox_read(const struct file *file, void *buffer, u32 count,
                 bool interrupts);
s32 mailbox_write(const struct file *file, const void *buffer, u32 count,
                  bool interrupts);

/* main.c */
extern char program_name[PATH_MAX];
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

/* path.c */
void path_normalise(char *path);
s32 path_join(char *path, const char *directory, const char *name);

/* p9.c */
struct qid {
    u8 type;
    u64 path;
};
void p9_start(u8 type);
void p9_put_8(u32 value);
void p9_put_16(u32 value);
void p9_put_32(u32 value);
void p9_put_64(u64 value);
void p9_put_string(const char *text);
void p9_put_bytes(const void *bytes, u32 length);
s32 p9_call(void);
u32 p9_get_8(void);
u32 p9_get_16(void);
u32 p9_get_32(void);
u64 p9_get_64(void);
void p9_get_qid(struct qid *qid);
const u8 *p9_get_bytes(u32 length);
u32 p9_left(void);

/* panic.c */
void panic(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));
void panic_trap(const struct trapframe *frame) __attribute__((noreturn));

/* pin.c */
void pin_open(void);
s32 pin_read(const struct file *file, void *buffer, u32 count);
void pin_interrupt(void);

/* pipe.c */
s32 pipe_new(struct file *ends[2], u32 flags);

/* print.c */
u32 format_text(char *buffer, u32 size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
u32 format_list(char *buffer, u32 size, const char *format, va_list list);
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* proc.c */
bool proc_path(const char *path);
s32 proc_open(const char *path, u32 flags, struct file **out);
s32 proc_status(const char *path, struct status *status);
s32 proc_link(const char *path, char *target, u32 size);

/* program.c */
u32 program_stack(const char *name, u32 entry, u32 header, u32 headers);
void program_enter(u32 entry, u32 stack) __attribute__((noreturn));

/* random.c */
void random_init(u32 seed);
void random_bytes(void *buffer, u32 length);

/* region.c */
struct region *region_find(u32 address);
u32 region_anonymous_pages(void);
void region_discard(u32 start, u32 end);
s32 region_add(const struct region *region);
s32 region_remove(u32 start, u32 end);
s32 region_protect(u32 start, u32 end, u32 protection);
u32 region_gap(u32 length);
bool region_free(u32 start, u32 end);
s32 region_move(u32 from, u32 to, u32 length);

/* shared.c */
s32 shared_add(u32 start, u32 end, struct file *file, u64 offset);
bool shared_overlaps(u32 start, u32 end);
s32 shared_sync(u32 start, u32 end);
s32 shared_remove(u32 start, u32 end);

/* segment.c */
void segment_init(void);
s32 segment_set_tls(struct user_desc *description);
s32 segment_get_tls(struct user_desc *description);
void segment_use_ldt(const u64 *table, u32 entries);
u64 segment_encode(const struct user_desc *wanted);
bool segment_is_empty(const struct user_desc *wanted);

/* serial.c */
enum { COM1 = SCC_SERIAL_COM1, COM2 = SCC_SERIAL_COM2 };
void serial_init(u16 port);
void serial_write(u16 port, const char *text, u32 length);
s32 serial_read(u16 port);

/* share.c */
s32 share_open(const char *path, u32 flags, u32 mode, struct file **out);

/* share_walk.c */
void share_init(void);
s32 share_walk(const char *path, bool follow, u32 *fid, struct qid *qid);
s32 share_walk_parent(const char *path, u32 *fid, const char **name);
s32 share_clone(u32 fid, u32 *copy);
void share_clunk(u32 fid);
s32 share_read_link(u32 fid, char *target, u32 size);
s32 share_attributes(u32 fid, struct status *status);
s32 share_status(const char *path, bool follow, struct status *status);

/* share_name.c */
s32 share_make_directory(const char *path, u32 mode);
s32 share_unlink(const char *path, bool directory);
s32 share_rename(const char *from, const char *to);
s32 share_symlink(const char *target, const char *path);
s32 share_readlink(const char *path, char *target, u32 size);
s32 share_link(const char *from, const char *to);
s32 share_set(u32 fid, u32 valid, u32 mode, u64 size);
s32 share_change(const char *path, u32 valid, u32 mode, u64 size);
struct space {
    u64 blocks, free, files, files_free;
    u32 block_size;
};
s32 share_space(struct space *space);

/* signal.c */
extern u64 signals_blocked;
void signal_send(u32 number, s32 code, u32 field);
void signal_fault(const struct siginfo *info, struct trapframe *frame);
bool signal_waiting(void);
void signal_deliver(struct trapframe *frame);
u64 signals_pending(void);
void signals_take(u64 mask, struct siginfo *info);
s32 signal_action(u32 number, u32 action, u32 old_action);
s32 signal_stack(u32 stack, u32 old_stack, u32 esp);
void signal_wait_with_mask(u64 mask);

/* sigframe.c */
struct sigaction;
bool sigframe_push(struct trapframe *frame, const struct siginfo *info,
                   const struct sigaction *action, u32 stack_top, u64 mask);
s32 sigframe_pop(struct trapframe *frame, u32 address, u64 *mask);

/* strace.c */
void strace_call(const char *name, const char *format, const u32 *args);
void strace_result(s32 result);

/* string.c */
void fetch_lines(const void *start, size_t count);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *left, const void *right, size_t count);
u32 string_length(const char *text);
bool string_equal(const char *left, const char *right);
bool string_starts(const char *text, const char *prefix);
u32 string_copy(char *to, const char *from, u32 capacity);

/* sys_process.c */
s32 process_id(void);

/* sys_memory.c */
void memory_set_break(u32 start);

/* syscall.c */
void syscall(struct trapframe *frame);

/* timer.c */
void timer_interrupt(void);
bool timer_sleep_until(u64 nanoseconds);
void timer_idle(void);
void timer_set_alarm(u64 value, u64 interval, u64 *old_value,
                     u64 *old_interval);
void timer_get_alarm(u64 *value, u64 *interval);

/* trap.c */
extern struct trapframe *user_frame;
extern u32 fault_address;
void trap_init(void);
void trap(struct trapframe *frame);

/* vfs.c */
bool vfs_named_directory(void);
s32 vfs_path(s32 directory, u32 user_path, char *out);
s32 vfs_open(const char *path, u32 flags, u32 mode, struct file **out);
s32 vfs_status(const char *path, bool follow, struct status *status);
bool vfs_shared(const char *path);
const char *vfs_directory(void);
s32 vfs_change_directory(const char *path);

/* vm.c */
extern char kernel_end[];
u32 vm_kernel_physical(const void *address);
void vm_init(void);
u32 *vm_entry(u32 address);
s32 vm_map(u32 address, u32 physical, u32 bits);
u32 vm_map_kernel(u32 physical, u32 length, u32 bits);
void vm_clear_page(u32 address);
void vm_clear_fresh_page(u32 address);

#endif
