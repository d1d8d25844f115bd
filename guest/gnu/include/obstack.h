/*
 * obstack.h: objects that grow at the end of a stack of blocks, and that are
 * freed from the last one down, in the manner of GNU. The program says where
 * blocks come from: obstack_chunk_alloc and obstack_chunk_free.
 */
#ifndef _OBSTACK_H
#define _OBSTACK_H

#include <stddef.h>
#include <string.h>
#include <sys/cdefs.h>

__BEGIN_DECLS

struct _obstack_chunk {
    char *limit;
    struct _obstack_chunk *prev;
    char contents[];
};

struct obstack {
    size_t chunk_size;
    struct _obstack_chunk *chunk;
    char *object_base, *next_free, *chunk_limit;
    size_t alignment_mask;
    int maybe_empty_object; /* in the last block, where an object begins, too */
    void *(*chunkfun)(size_t);
    void (*freefun)(void *);
};

int _obstack_begin(struct obstack *, size_t bytes, size_t alignment,
                   void *(*)(size_t), void (*)(void *));
/* Room for so many more bytes of the object. */
void _obstack_newchunk(struct obstack *, size_t bytes);
void *_obstack_finish(struct obstack *);
void _obstack_free(struct obstack *, void *object);
size_t _obstack_memory_used(struct obstack *);
int obstack_printf(struct obstack *, const char *, ...);
int obstack_vprintf(struct obstack *, const char *, __builtin_va_list);

extern void (*obstack_alloc_failed_handler)(void);
extern int obstack_exit_failure;

#define obstack_init(stack) obstack_begin(stack, 0)
#define obstack_begin(stack, bytes)                                         \
    _obstack_begin(stack, bytes, 0, (void *(*)(size_t))obstack_chunk_alloc, \
                   (void (*)(void *))obstack_chunk_free)
#define obstack_chunk_size(stack) ((stack)->chunk_size)
#define obstack_alignment_mask(stack) ((stack)->alignment_mask)
#define obstack_memory_used(stack) _obstack_memory_used(stack)

#define obstack_base(stack) ((void *)(stack)->object_base)
#define obstack_next_free(stack) ((void *)(stack)->next_free)
#define obstack_object_size(stack) \
    ((size_t)((stack)->next_free - (stack)->object_base))
#define obstack_room(stack) \
    ((size_t)((stack)->chunk_limit - (stack)->next_free))
#define obstack_empty_p(stack)                                              \
    (!(stack)->chunk->prev && (stack)->next_free == (stack)->object_base && \
     (size_t)((stack)->object_base - (stack)->chunk->contents) <=           \
         (stack)->alignment_mask)

static inline void obstack_make_room(struct obstack *stack, size_t bytes)
{
    if (obstack_room(stack) < bytes)
        _obstack_newchunk(stack, bytes);
}
static inline void obstack_blank_fast(struct obstack *stack, ptrdiff_t bytes)
{
    stack->next_free += bytes;
}
static inline void obstack_blank(struct obstack *stack, ptrdiff_t bytes)
{
    if (bytes > 0)
        obstack_make_room(stack, (size_t)bytes);
    stack->next_free += bytes;
}
static inline void obstack_1grow_fast(struct obstack *stack, char byte)
{
    *stack->next_free++ = byte;
}
static inline void obstack_1grow(struct obstack *stack, char byte)
{
    obstack_make_room(stack, 1);
    *stack->next_free++ = byte;
}
static inline void obstack_grow(struct obstack *stack, const void *from,
                                size_t bytes)
{
    obstack_make_room(stack, bytes);
    memcpy(stack->next_free, from, bytes);
    stack->next_free += bytes;
}
static inline void obstack_grow0(struct obstack *stack, const void *from,
                                 size_t bytes)
{
    obstack_grow(stack, from, bytes);
    obstack_1grow(stack, 0);
}
static inline void obstack_int_grow(struct obstack *stack, int number)
{
    obstack_grow(stack, &number, sizeof number);
}
static inline void obstack_ptr_grow(struct obstack *stack, const void *pointer)
{
    obstack_grow(stack, &pointer, sizeof pointer);
}
#define obstack_int_grow_fast obstack_int_grow
#define obstack_ptr_grow_fast obstack_ptr_grow
#define obstack_finish(stack) _obstack_finish(stack)
static inline void *obstack_alloc(struct obstack *stack, size_t bytes)
{
    obstack_blank(stack, (ptrdiff_t)bytes);
    return _obstack_finish(stack);
}
static inline void *obstack_copy(struct obstack *stack, const void *from,
                                 size_t bytes)
{
    obstack_grow(stack, from, bytes);
    return _obstack_finish(stack);
}
static inline void *obstack_copy0(struct obstack *stack, const void *from,
                                  size_t bytes)
{
    obstack_grow0(stack, from, bytes);
    return _obstack_finish(stack);
}
#define obstack_free(stack, object) _obstack_free(stack, (void *)(object))

__END_DECLS

#endif
