/* Devices below /dev, and the terminal. */
#ifndef DEVICES_DEVICES_H
#define DEVICES_DEVICES_H

#include "lib/types.h"

struct file;
struct file_ops;
struct status;

/* console.c */
extern const struct file_ops console_ops;
void console_init(void);

/* devices.c */
bool device_path(const char *path);
s32 device_open(const char *path, u32 flags, struct file **out);
s32 device_status(const char *path, struct status *status);
bool device_zero(const struct file *file);
void device_announce(const struct file *file);
s32 device_map_type(const struct file *file, u32 *type);

/* msr.c */
s32 msr_read(struct file *file, void *buffer, u32 count, u64 offset);
s32 msr_write(struct file *file, const void *buffer, u32 count, u64 offset);

#endif
