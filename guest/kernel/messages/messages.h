/* What cores send each other through the kernel. */
#ifndef MESSAGES_MESSAGES_H
#define MESSAGES_MESSAGES_H

#include "lib/types.h"

struct file;

/* mailbox.c */
void mailbox_interrupt(void);
void mailbox_open(bool interrupts);
void mailbox_announce(bool by_signal);
bool mailbox_ready(void);
s32 mailbox_read(const struct file *file, void *buffer, u32 count,
                 bool interrupts);
s32 mailbox_write(const struct file *file, const void *buffer, u32 count,
                  bool interrupts);

/* pin.c */
void pin_open(void);
bool pin_ready(void);
s32 pin_read(const struct file *file, void *buffer, u32 count);
void pin_interrupt(void);

#endif
