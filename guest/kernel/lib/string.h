/* Bytes and strings. The memory functions have their names from the C library,
 * because the compiler calls them by itself. */
#ifndef LIB_STRING_H
#define LIB_STRING_H

#include "lib/types.h"

/* Loads one byte of each line: for memory about to be written word by word. */
void fetch_lines(const void *start, size_t count);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *left, const void *right, size_t count);
u32 string_length(const char *text);
bool string_equal(const char *left, const char *right);
bool string_starts(const char *text, const char *prefix);
const char *path_last(const char *path); /* what follows the last slash */
u32 string_copy(char *to, const char *from, u32 capacity);

#endif
