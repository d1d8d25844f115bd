/*
 * heap_more.c: what is made of a heap's other functions, this one's or another's.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#define PAGE 4096u
#define RETURNS __attribute__((disable_tail_calls))

RETURNS void *reallocarray(void *memory, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(memory, count * size);
}

RETURNS void *valloc(size_t size)
{
    return memalign(PAGE, size);
}
