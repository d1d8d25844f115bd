/* Plain integer types and the few macros that every file needs. */
#ifndef LIB_TYPES_H
#define LIB_TYPES_H

#include <stdarg.h>

#include "common/types.h"

typedef int16_t s16;
typedef int64_t s64;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
