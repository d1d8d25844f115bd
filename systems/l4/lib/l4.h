/*
 * l4.h: the functions of lib/ that servers and test programs use.
 */
#ifndef LIB_L4_H
#define LIB_L4_H

#include "l4/boot.h"
#include "l4/invoke.h"

/* say.c: say prints text to the log in L4_SLOT_LOG (%s, %d and %x without
 * widths; no other conversions); halt ends the core with an exit code;
 * same_text compares. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void halt(uint32_t code) __attribute__((noreturn));
int same_text(const char *a, const char *b);

/* child.c: child_start makes a task with this program's own image, whose
 * writable pages both share, a thread that does not run yet, with the scheduler
 * context in slot `context`, and a gate to it, in three slots from `slots` on.
 * thread_start makes a thread, and starts it at `begin` unless it is null;
 * `pager`: a slot, or 0. Both return L4_OK or an error. */
struct child {
    uint32_t task, thread, gate; /* slots */
};
int32_t child_start(struct child *child, uint32_t slots, uint32_t context);
int32_t thread_start(uint32_t slot, uint32_t task, uint32_t utcb,
                     uint32_t context, uint32_t pager, void (*begin)(void),
                     void *stack);

/* memory.c: both functions get `pages` pages (of 4 KB) of memory from sigma0,
 * the task that owns all memory, and map them at `address`: any that nobody
 * had, writable; or at most L4_PAGES_MAX at a physical place, with `bits`: a
 * memory type, and 2 if they are to be written. They return L4_OK or an
 * error. */
int32_t take_pages(uint32_t address, uint32_t pages);
int32_t take_pages_at(uint32_t physical, uint32_t address, uint32_t pages,
                      uint32_t bits);

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

#endif
