/*
 * heap.c: the compiler package's heap, with a mark on each block.
 *
 * That heap keeps a block's size and alignment in the 8 bytes before it, and
 * believes them. Of the second word it uses five bits; the others are ours, and
 * the heap's code leaves them out. A mark depends on the size and the place, so
 * an overrun of the block before, and an address that is no block, show when
 * the block is freed, as they do with GNU's library.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "scc/heap.h"

#define OF_SIZE 0x1fu
#define ALIGNMENT 8u
#define PAGE 4096u
#define LIVE 0x5cc0a5e0u
#define FREED 0x3a77d160u

/* `--check memory` sees where these return: by their own last instructions. */
#define RETURNS __attribute__((disable_tail_calls))

void *__zig_malloc(size_t size);
void *__zig_calloc(size_t count, size_t size);
void *__zig_realloc(void *memory, size_t size);
void *__zig_aligned_alloc(size_t alignment, size_t size);
int __zig_posix_memalign(void **memory, size_t alignment, size_t size);
void __zig_free(void *memory);

/* The size changes while the block is free: the heap keeps a pointer there. */
static inline uint32_t live(const uint32_t *block)
{
    return (block[-2] ^ block[-2] << 5 ^ (uintptr_t)block ^ LIVE) & ~OF_SIZE;
}

static inline uint32_t freed(const uint32_t *block)
{
    return ((uintptr_t)block ^ FREED) & ~OF_SIZE;
}

static inline void mark(uint32_t *block, uint32_t value)
{
    block[-1] = (block[-1] & OF_SIZE) | value;
}

static inline void *marked(void *memory)
{
    if (memory)
        mark(memory, live(memory));
    return memory;
}

static inline int has_mark(const uint32_t *block, uint32_t value)
{
    return (uintptr_t)block % ALIGNMENT == 0 && (block[-1] & ~OF_SIZE) == value;
}

/* Memory that comes from elsewhere (RCCE_shmalloc, mmap) begins at a page, and
 * nothing lies before it: the kernel looks there without a fault. */
static int has_words_before(const uint32_t *block)
{
    int before = errno, can_read;

    if ((uintptr_t)block % PAGE != 0)
        return 1;
    errno = 0;
    access((const char *)(block - 2), F_OK);
    can_read = errno != EFAULT;
    errno = before;
    return can_read;
}

static inline int is_live(const uint32_t *block)
{
    return has_words_before(block) && has_mark(block, live(block));
}

RETURNS void *malloc(size_t size)
{
    return marked(__zig_malloc(size));
}

RETURNS void *calloc(size_t count, size_t size)
{
    return marked(__zig_calloc(count, size));
}

RETURNS void *aligned_alloc(size_t alignment, size_t size)
{
    return marked(__zig_aligned_alloc(alignment, size));
}

RETURNS void *memalign(size_t alignment, size_t size)
{
    return marked(__zig_aligned_alloc(alignment, size));
}

RETURNS int posix_memalign(void **memory, size_t alignment, size_t size)
{
    int error = __zig_posix_memalign(memory, alignment, size);

    if (!error)
        marked(*memory);
    return error;
}

RETURNS void *realloc(void *memory, size_t size)
{
    void *other;

    if (!memory)
        return malloc(size);
    if (!is_live(memory)) {
        scc_heap_misused("realloc(): invalid pointer\n");
        return NULL;
    }
    mark(memory, freed(memory));
    other = __zig_realloc(memory, size);
    if (!other && size)
        mark(memory, live(memory));
    return marked(other);
}

RETURNS void free(void *memory)
{
    if (!memory)
        return;
    if (!is_live(memory)) {
        scc_heap_misused(has_words_before(memory) &&
                                 has_mark(memory, freed(memory))
                             ? "free(): double free\n"
                             : "free(): invalid pointer\n");
        return;
    }
    mark(memory, freed(memory));
    __zig_free(memory);
}
