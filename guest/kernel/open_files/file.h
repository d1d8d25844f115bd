/* An open file, and what each kind of file can do. */
#ifndef OPEN_FILES_FILE_H
#define OPEN_FILES_FILE_H

#include "abi/abi.h"
#include "lib/types.h"

/* What stat reports, before it is put into one of Linux's four layouts. */
struct status {
    u32 mode, links, rdevice;
    u64 inode, size, blocks;
    u32 block_size;
    u64 atime, mtime, ctime; /* seconds since 1970 */
};

/* A lock on bytes of a file; a length of 0 is all to its end. */
struct lock {
    s16 type; /* F_RDLCK, F_WRLCK, F_UNLCK */
    u64 start, length;
    s32 process; /* whose */
};

struct file;

/* One entry at a time: returns false when the caller's buffer is full. */
typedef bool (*entry_sink)(void *sink, u64 inode, u64 next_offset, u8 type,
                           const char *name, u32 length);

/* An operation that a kind of file does not have is a null pointer. Results
 * are counts or negative error numbers. */
struct file_ops {
    bool seekable;
    s32 (*read)(struct file *file, void *buffer, u32 count, u64 offset);
    s32 (*write)(struct file *file, const void *buffer, u32 count, u64 offset);
    s32 (*status)(struct file *file, struct status *status);
    s32 (*truncate)(struct file *file, u64 size);
    s32 (*set_mode)(struct file *file, u32 mode);
    s32 (*entries)(struct file *file, u64 offset, entry_sink put, void *sink);
    s32 (*sync)(struct file *file);
    s32 (*lock)(struct file *file, const struct lock *lock);
    s32 (*find_lock)(struct file *file, struct lock *lock);
    s32 (*control)(struct file *file, u32 request, u32 argument);
    u32 (*ready)(struct file *file);
    void (*close)(struct file *file);
};

struct file {
    const struct file_ops *ops; /* null: this slot is free */
    u32 references;
    u32 opening; /* no other file has had this number */
    u32 flags;   /* O_ACCMODE, O_APPEND, O_NONBLOCK, O_DIRECTORY */
    bool locked; /* a lock was taken; perhaps it is back */
    u64 offset;
    u32 fid;             /* share: the server's handle; else: its number */
    u32 value;           /* device: memory type; console: port; pair: side */
    struct pipe *pipe;   /* pipe */
    struct pair *pair;   /* pair of sockets */
    char path[PATH_MAX]; /* absolute; "" when it has none */
};

/* file.c */
s32 file_new(const struct file_ops *ops, u32 flags, struct file **out);
void file_release(struct file *file);
struct file *file_of(u32 descriptor);
struct file *file_hold(u32 descriptor);
s32 file_let_go(struct file *file, s32 result);
bool descriptor_available(void);
s32 descriptor_new(struct file *file, u32 lowest, bool close_on_exec);
s32 descriptor_new_pair(struct file *ends[2], bool close_on_exec, u32 address);
s32 descriptor_set(u32 descriptor, struct file *file, bool close_on_exec);
s32 descriptor_close(u32 descriptor);
bool descriptor_flag(u32 descriptor);
void descriptor_set_flag(u32 descriptor, bool close_on_exec);
void descriptors_copied(void);
void descriptors_leave(void);
void descriptors_end(void);
void descriptors_unlock(void);

/* lock.c */
s32 file_lock(struct file *file, const struct lock *lock);
void file_unlock(struct file *file);

/* shared.c */
s32 shared_add(u32 start, u32 end, struct file *file, u64 offset);
bool shared_overlaps(u32 start, u32 end);
s32 shared_sync(u32 start, u32 end);
s32 shared_remove(u32 start, u32 end);
void shared_copied(void);

#endif
