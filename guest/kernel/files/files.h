/* Names of files, and the kinds of files that are no devices and not shared. */
#ifndef FILES_FILES_H
#define FILES_FILES_H

#include "lib/types.h"

struct file;
struct status;

/* vfs.c */
bool vfs_named_directory(void);
s32 vfs_path(s32 directory, u32 user_path, char *out);
s32 vfs_follow(char *path, bool last);
s32 vfs_open(const char *path, u32 flags, u32 mode, struct file **out);
s32 vfs_status(const char *path, bool follow, struct status *status);
bool vfs_shared(const char *path);
bool vfs_in_memory(const char *path);
const char *vfs_directory(void);
s32 vfs_change_directory(const char *path);

/* path.c */
void path_normalise(char *path);
s32 path_join(char *path, const char *directory, const char *name);

/* proc.c, proc_self.c */
bool proc_path(const char *path);
s32 proc_open(const char *path, u32 flags, struct file **out);
s32 proc_status(const char *path, struct status *status);
void proc_set_image(u32 physical, u32 length);
s32 proc_link(const char *path, char *target, u32 size);

/* lock.c */
s32 lock_control(struct file *file, u32 command, u32 address, s32 process);
s32 lock_whole(struct file *file, u32 operation, s32 process);

#endif
