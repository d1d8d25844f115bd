/* bytes.h: the functions that the compiler calls by itself. */
#ifndef COMMON_BYTES_H
#define COMMON_BYTES_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

#endif
