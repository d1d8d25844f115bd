/* Reproducible random bytes. */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include "lib/types.h"

void random_init(u32 seed);
void random_bytes(void *buffer, u32 length);

#endif
