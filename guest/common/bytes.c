/* bytes.c: copies by words, then by bytes. */
#include "common/bytes.h"

#include "common/types.h"

void *memcpy(void *to, const void *from, size_t bytes)
{
    void *at = to;
    size_t words = bytes / 4;

    bytes %= 4;
    __asm__ volatile("rep movsl"
                     : "+D"(at), "+S"(from), "+c"(words)
                     :
                     : "memory");
    __asm__ volatile("rep movsb"
                     : "+D"(at), "+S"(from), "+c"(bytes)
                     :
                     : "memory");
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    void *at = to;
    u32 four = (u8)value * 0x01010101u;
    size_t words = bytes / 4;

    bytes %= 4;
    __asm__ volatile("rep stosl"
                     : "+D"(at), "+c"(words)
                     : "a"(four)
                     : "memory");
    __asm__ volatile("rep stosb"
                     : "+D"(at), "+c"(bytes)
                     : "a"(four)
                     : "memory");
    return to;
}
