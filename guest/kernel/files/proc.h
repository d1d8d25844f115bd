/* The texts of /proc: who reads one asks for a part of it; the function that
 * knows it puts the whole, piece by piece. */
#ifndef FILES_PROC_H
#define FILES_PROC_H

#include "lib/types.h"

struct text {
    u8 *to;
    u32 skip; /* bytes before the part */
    u32 room, done;
};

/* proc.c */
u32 kilobytes(u32 frames);
void put_bytes(struct text *text, const void *bytes, u32 count);
void put_line(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* proc_machine.c: the chip's and this core's, and who the program is */
void proc_launch(struct text *text);
void proc_processor(struct text *text);
void proc_memory(struct text *text);
void proc_uptime(struct text *text);
void proc_load(struct text *text);
void proc_times(struct text *text);
void proc_version(struct text *text);
void proc_users(struct text *text);
void proc_groups(struct text *text);
void proc_services(struct text *text);

/* proc_self.c: the program's */
void proc_maps(struct text *text);
void proc_self_status(struct text *text);
void proc_stat(struct text *text);
void proc_statm(struct text *text);
void proc_arguments(struct text *text);
void proc_environment(struct text *text);
void proc_name(struct text *text);
void proc_image(struct text *text);
u32 proc_image_size(void);
s32 proc_self_link(const char *name, char *target, u32 size);

#endif
