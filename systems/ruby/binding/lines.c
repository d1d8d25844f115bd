/* Copies that load a line of the target before they write it.
 *
 * The chip's caches do not allocate on a write: each store to memory that is
 * not cached goes to the memory controller alone, some 85 cycles. A load of
 * the line costs one access, and the line's other stores are hits. Ruby copies
 * mostly to memory that nobody has read, so the whole interpreter is linked
 * with these instead of the C library's.
 */
#include "lines.h"

/* Not binding.h: ruby.h has macros of these names. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LINE 32u
#define WORD 4u

/* Volatile, or the compiler makes calls of memcpy of the loops. */
typedef uint32_t __attribute__((may_alias, aligned(1))) any_word;
typedef volatile any_word word;
typedef volatile uint8_t byte;

static void copy_line(byte *to, const byte *from)
{
    word *target = (word *)to;
    const word *source = (const word *)from;

    for (unsigned n = 0; n < LINE / WORD; n += 2) {
        uint32_t low = source[n], high = source[n + 1];

        target[n] = low;
        target[n + 1] = high;
    }
}

/* Less than two lines, which lie in three at most. The last word is read
 * before it may be written: the source may overlap the target's end. */
static inline void copy_short(byte *to, const byte *from, size_t count)
{
    if (count >= WORD) {
        word *end = (word *)(to + count - WORD);
        uint32_t last = *(const word *)(from + count - WORD);

        (void)to[0];
        (void)to[count / 2];
        (void)*end;
        for (; to < (byte *)end; to += WORD, from += WORD)
            *(word *)to = *(const word *)from;
        *end = last;
        return;
    }
    while (count-- > 0)
        *to++ = *from++;
}

static __attribute__((noinline)) void copy_long(byte *to, const byte *from,
                                                size_t count)
{
    size_t head = -(uintptr_t)to % LINE;

    copy_short(to, from, head);
    to += head;
    from += head;
    count -= head;
    for (; count >= LINE; count -= LINE, to += LINE, from += LINE) {
        (void)to[0];
        copy_line(to, from);
    }
    copy_short(to, from, count);
}

static inline void copy_up(byte *to, const byte *from, size_t count)
{
    if (count < 2 * LINE)
        copy_short(to, from, count);
    else
        copy_long(to, from, count);
}

/* From the end, for a target that overlaps the source's end. */
static void copy_down(byte *to, const byte *from, size_t count)
{
    while (count >= WORD) {
        count -= WORD;
        (void)to[count];
        *(word *)(to + count) = *(const word *)(from + count);
    }
    while (count-- > 0)
        to[count] = from[count];
}

void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    copy_up(to, from, count);
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    if ((uintptr_t)to - (uintptr_t)from >= count)
        copy_up(to, from, count);
    else
        copy_down(to, from, count);
    return to;
}

/* As copy_short, of one byte, which `four` has four times. */
static inline void set_short(byte *to, uint32_t four, size_t count)
{
    if (count >= WORD) {
        word *end = (word *)(to + count - WORD);

        (void)to[0];
        (void)to[count / 2];
        (void)*end;
        for (; to < (byte *)end; to += WORD)
            *(word *)to = four;
        *end = four;
        return;
    }
    while (count-- > 0)
        *to++ = (uint8_t)four;
}

static __attribute__((noinline)) void set_long(byte *to, uint32_t four,
                                               size_t count)
{
    size_t head = -(uintptr_t)to % LINE;

    set_short(to, four, head);
    to += head;
    count -= head;
    for (; count >= LINE; count -= LINE, to += LINE) {
        (void)to[0];
        for (unsigned n = 0; n < LINE; n += WORD)
            *(word *)(to + n) = four;
    }
    set_short(to, four, count);
}

void *memset(void *to, int value, size_t count)
{
    uint32_t four = (uint8_t)value * 0x01010101u;

    if (count < 2 * LINE)
        set_short(to, four, count);
    else
        set_long(to, four, count);
    return to;
}

void *calloc(size_t number, size_t size)
{
    size_t bytes;
    void *memory;

    if (__builtin_mul_overflow(number, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    memory = malloc(bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

/* Before others than these write there: the library's copy from a message
 * buffer. */
void rcce_ruby_load_lines(const char *from, size_t count)
{
    const byte *at = (const byte *)from;

    for (size_t n = 0; n < count; n += LINE)
        (void)at[n];
    if (count > 0)
        (void)at[count - 1];
}
