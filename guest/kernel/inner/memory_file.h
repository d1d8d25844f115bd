/* A file in memory, for those who name it. */
#ifndef INNER_MEMORY_FILE_H
#define INNER_MEMORY_FILE_H

#include "lib/types.h"

struct file;
struct status;

/* memory_file.c: the file with that number */
s32 memory_make(u32 mode, u32 *number);
s32 memory_open_number(u32 number, u32 flags, struct file **out);
s32 memory_truncate(struct file *open, u64 size);
void memory_fill_status(u32 number, struct status *status);

/* memory_name.c: how many names it has */
u32 memory_names(u32 number);

#endif
