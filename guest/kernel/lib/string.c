/* Bytes and strings.
 *
 * The caches never allocate a line for a store that misses: each such store
 * becomes a bus transaction of its own, about as slow as fetching the whole
 * line. The bulk routines therefore load one byte of a destination line
 * before they write it; eight stores then hit the L1.
 */
#include "lib/string.h"
#include "lib/types.h"
#include "scc/cache.h"

/* Also for memory that is about to be written word by word. */
void fetch_lines(const void *start, size_t count)
{
    u32 line = (u32)start & ~(SCC_LINE_SIZE - 1);
    u32 end = (u32)start + count;

    for (; line < end; line += SCC_LINE_SIZE)
        (void)*(volatile const u8 *)line;
}

/* A quarter of the L1: what is fetched is still there when it is written. */
#define CHUNK 4096u

void *memcpy(void *to, const void *from, size_t count)
{
    u8 *target = to;
    const u8 *source = from;

    while (count > 0) {
        size_t part = count < CHUNK ? count : CHUNK;
        size_t words = part / 4;
        size_t bytes = part % 4;

        fetch_lines(target, part);
        __asm__ volatile("rep movsl; movl %3, %%ecx; rep movsb"
                         : "+D"(target), "+S"(source), "+c"(words)
                         : "r"(bytes)
                         : "memory");
        count -= part;
    }
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    u8 *target = (u8 *)to + count;
    const u8 *source = (const u8 *)from + count;

    if ((u32)to <= (u32)from || (u32)to >= (u32)source)
        return memcpy(to, from, count);
    if (((u32)target | (u32)source) % 4 == 0)
        for (; count >= 4; count -= 4) {
            target -= 4;
            source -= 4;
            *(u32 *)target = *(const u32 *)source;
        }
    while (count-- > 0)
        *--target = *--source;
    return to;
}

void *memset(void *to, int value, size_t count)
{
    u8 *target = to;
    u32 pattern = 0x01010101u * (u8)value;

    while (count > 0) {
        size_t part = count < CHUNK ? count : CHUNK;
        size_t words = part / 4;
        size_t bytes = part % 4;

        fetch_lines(target, part);
        __asm__ volatile("rep stosl; movl %2, %%ecx; rep stosb"
                         : "+D"(target), "+c"(words)
                         : "r"(bytes), "a"(pattern)
                         : "memory");
        count -= part;
    }
    return to;
}

int memcmp(const void *left, const void *right, size_t count)
{
    const u8 *a = left;
    const u8 *b = right;

    for (; count > 0; count--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

u32 string_length(const char *text)
{
    u32 length = 0;

    while (text[length])
        length++;
    return length;
}

bool string_equal(const char *left, const char *right)
{
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return *left == *right;
}

bool string_starts(const char *text, const char *prefix)
{
    while (*prefix)
        if (*text++ != *prefix++)
            return false;
    return true;
}

/* Returns the length of from; the copy is cut to fit, and ended. */
u32 string_copy(char *to, const char *from, u32 capacity)
{
    u32 length = string_length(from);
    u32 kept = length < capacity ? length : capacity - 1;

    memcpy(to, from, kept);
    to[kept] = 0;
    return length;
}

const char *path_last(const char *path)
{
    const char *part = path;

    for (; *path; path++)
        if (*path == '/')
            part = path + 1;
    return part;
}
