/* Files in memory, for those who name them. */
#ifndef INNER_MEMORY_FILE_H
#define INNER_MEMORY_FILE_H

#include "lib/types.h"

struct file;
struct status;

#define NAMES_MAX 128u
#define NAME_MAX 127u /* of a whole path */
#define NO_FILE 0xFFFFFFFFu
#define NODE_NUMBER 0x10000u   /* inodes of files: behind those of devices */
#define FOLDER_NUMBER 0x20000u /* of folders */

/* A path below /dev/shm or /tmp. */
struct name {
    char path[NAME_MAX + 1]; /* empty: this entry is free */
    u32 file;                /* NO_FILE: a folder */
    u32 link;                /* a symbolic link: its place in a table + 1 */
};

/* memory_file.c: the file with that number */
s32 memory_make(u32 mode, u32 *number);
s32 memory_open_number(u32 number, u32 flags, struct file **out);
s32 memory_truncate(struct file *open, u64 size);
void memory_fill_status(u32 number, struct status *status);
void memory_set_number_mode(u32 number, u32 mode);
void memory_named(u32 number, s32 more);

/* memory_name.c */
extern struct name memory_names[NAMES_MAX];
struct name *memory_find(const char *path);
s32 memory_add_name(const char *path, u32 file);
void memory_take_name(struct name *entry);

/* memory_link.c */
void memory_link_free(struct name *entry);

/* memory_folder.c */
bool memory_root(const char *path);
bool memory_below(const char *path, const char *folder);
bool memory_folder_empty(const char *path);
s32 memory_folder_open(const char *path, u32 flags, struct file **out);
void memory_folder_status(const char *path, struct status *status);

#endif
