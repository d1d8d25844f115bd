/* Plain integer types and the few macros that every file needs. */
#ifndef TYPES_H
#define TYPES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PAGE_DOWN(value) ((u32)(value) & ~(u32)(PAGE_SIZE - 1))
#define PAGE_UP(value) PAGE_DOWN((u32)(value) + PAGE_SIZE - 1)

#endif
