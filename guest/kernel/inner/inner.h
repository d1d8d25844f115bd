/* Files that lead nowhere but to this program: pipes, pairs of sockets,
 * counters, timers and signals that are read, files in memory. */
#ifndef INNER_INNER_H
#define INNER_INNER_H

#include "lib/types.h"

struct file;
struct iovec;
struct status;

/* pipe.c */
s32 wait_or_fail(const struct file *file);
s32 pipe_new(struct file *ends[2], u32 flags);

/* pair.c, pair_data.c */
s32 pair_new(u32 type, u32 flags, struct file *ends[2]);
bool pair_is(const struct file *file);
u32 pair_type(const struct file *file);
bool pair_has_messages(const struct file *file);
s32 pair_send(struct file *file, const struct iovec *pieces, u32 count,
              u32 flags);
s32 pair_receive(struct file *file, const struct iovec *pieces, u32 count,
                 u32 *flags);
s32 pair_shut(struct file *file, bool reading, bool writing);

/* event.c, timer_file.c, signal_file.c; inner_status (timer_file.c) is the
 * status of all three and of an epoll: a file without a name or a size. */
s32 event_new(u32 counter, u32 flags, struct file **out);
s32 inner_status(struct file *file, struct status *status);
s32 timer_file_new(bool by_date, u32 flags, struct file **out);
bool timer_file_number(const struct file *file, u32 *number);
s32 signal_file_new(u64 mask, u32 flags, struct file **out);
bool signal_file_set(struct file *file, u64 mask);

/* memory_file.c */
s32 memory_file_new(const char *name, u32 flags, struct file **out);
bool memory_file_object(const struct file *file, u32 *object);
void memory_files_collect(void);

/* memory_folder.c */
bool memory_path(const char *path);
s32 memory_folder_new(const char *path);
s32 memory_folder_remove(const char *path);

/* memory_name.c */
s32 memory_file_open(const char *path, u32 flags, u32 mode, struct file **out);
s32 memory_file_status(const char *path, struct status *status);
s32 memory_file_mode(const char *path, u32 mode);
s32 memory_file_size(const char *path, u64 size);
s32 memory_file_unlink(const char *path);
s32 memory_file_rename(const char *from, const char *to);
s32 memory_file_link(const char *from, const char *to);

/* memory_link.c */
s32 memory_link_new(const char *target, const char *path);
const char *memory_link_target(const char *path);
bool memory_has_links(void);

#endif
