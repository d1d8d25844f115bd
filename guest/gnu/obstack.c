/*
 * obstack.c: the blocks of obstack.h.
 */
#include <obstack.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 4096u
#define ALIGNMENT 8u

static void failed(void)
{
    fputs("memory exhausted\n", stderr);
    exit(obstack_exit_failure);
}

void (*obstack_alloc_failed_handler)(void) = failed;
int obstack_exit_failure = EXIT_FAILURE;

static char *aligned(const struct obstack *stack, const char *at)
{
    return (char *)(((uintptr_t)at + stack->alignment_mask) &
                    ~stack->alignment_mask);
}

/* A new block, in which the object so far goes on. */
static void add(struct obstack *stack, size_t bytes)
{
    struct _obstack_chunk *block = stack->chunkfun(bytes);

    if (!block)
        obstack_alloc_failed_handler();
    block->prev = stack->chunk;
    block->limit = (char *)block + bytes;
    stack->chunk = block;
    stack->chunk_limit = block->limit;
}

int _obstack_begin(struct obstack *stack, size_t bytes, size_t alignment,
                   void *(*take)(size_t), void (*give)(void *))
{
    stack->chunk_size = bytes > sizeof *stack ? bytes : BLOCK;
    stack->alignment_mask = (alignment ? alignment : ALIGNMENT) - 1;
    stack->chunkfun = take;
    stack->freefun = give;
    stack->chunk = NULL;
    stack->maybe_empty_object = 0;
    add(stack, stack->chunk_size);
    stack->object_base = aligned(stack, stack->chunk->contents);
    stack->next_free = stack->object_base;
    return 1;
}

void _obstack_newchunk(struct obstack *stack, size_t bytes)
{
    struct _obstack_chunk *old = stack->chunk;
    size_t size = obstack_object_size(stack);
    size_t wanted = sizeof *old + stack->alignment_mask + size + bytes;
    int alone = stack->object_base == aligned(stack, old->contents);
    const char *from = stack->object_base;

    wanted += size / 8 + 128; /* an object that grows often moves seldom */
    add(stack, wanted > stack->chunk_size ? wanted : stack->chunk_size);
    stack->object_base = aligned(stack, stack->chunk->contents);
    memcpy(stack->object_base, from, size);
    stack->next_free = stack->object_base + size;
    if (alone && !stack->maybe_empty_object) {
        stack->chunk->prev = old->prev;
        stack->freefun(old);
    }
    stack->maybe_empty_object = 0;
}

void *_obstack_finish(struct obstack *stack)
{
    char *object = stack->object_base;

    if (stack->next_free == object)
        stack->maybe_empty_object = 1;
    stack->next_free = aligned(stack, stack->next_free);
    if (stack->next_free > stack->chunk_limit)
        stack->next_free = stack->chunk_limit;
    stack->object_base = stack->next_free;
    return object;
}

void _obstack_free(struct obstack *stack, void *object)
{
    char *at = object;

    while (stack->chunk &&
           (at <= (char *)stack->chunk || at > stack->chunk->limit)) {
        struct _obstack_chunk *before = stack->chunk->prev;

        stack->freefun(stack->chunk);
        stack->chunk = before;
        stack->maybe_empty_object = 1;
    }
    if (stack->chunk) {
        stack->object_base = stack->next_free = at;
        stack->chunk_limit = stack->chunk->limit;
    } else if (at) {
        abort();
    }
}

size_t _obstack_memory_used(struct obstack *stack)
{
    size_t bytes = 0;

    for (struct _obstack_chunk *at = stack->chunk; at; at = at->prev)
        bytes += (size_t)(at->limit - (char *)at);
    return bytes;
}

int obstack_vprintf(struct obstack *stack, const char *format, va_list values)
{
    va_list again;
    int bytes;

    va_copy(again, values);
    bytes = vsnprintf(NULL, 0, format, values);
    if (bytes >= 0) {
        obstack_make_room(stack, (size_t)bytes + 1);
        vsnprintf(stack->next_free, (size_t)bytes + 1, format, again);
        stack->next_free += bytes;
    }
    va_end(again);
    return bytes;
}

int obstack_printf(struct obstack *stack, const char *format, ...)
{
    va_list values;
    int bytes;

    va_start(values, format);
    bytes = obstack_vprintf(stack, format, values);
    va_end(values);
    return bytes;
}
