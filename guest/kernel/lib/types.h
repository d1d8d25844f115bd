/* Plain integer types and the few macros that every file needs. */
#ifndef LIB_TYPES_H
#define LIB_TYPES_H

#include <stdarg.h>

#include "common/types.h"

typedef int16_t s16;
typedef int64_t s64;

/* Of a variable that all processes of a core have in common, where there are
 * several (systems/l4/posix). This kernel has one. */
#ifndef OF_ALL_PROCESSES
#define OF_ALL_PROCESSES
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
