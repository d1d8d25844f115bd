/* Plain integer types and the few macros that every file needs. */
#ifndef LIB_TYPES_H
#define LIB_TYPES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
