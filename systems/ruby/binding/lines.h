/* lines.c: memcpy, memmove, memset and calloc for the whole interpreter. */
#ifndef BINDING_LINES_H
#define BINDING_LINES_H

#include <stddef.h>

/* Loads the lines of memory that something else will write. */
void rcce_ruby_load_lines(const char *from, size_t count);

#endif
