/*
 * allocator.c: omp_alloc and the like, over malloc. All memory spaces are the
 * one that all threads share. Honoured are the traits alignment, pool_size,
 * fallback and fb_data; access and pinned are as the memory is anyway; sync_hint
 * and partition have no effect, as OpenMP allows.
 */
#include "../openmp.h"

#include <stdlib.h>
#include <string.h>

#include "../../crf/pages/pages.h"

struct allocator {
    uint32_t used; /* of the pool */
    uint32_t pool, alignment, fallback;
    omp_allocator_handle_t next; /* fb_data */
};

/* Before each block. */
struct head {
    void *memory; /* what malloc gave */
    size_t bytes;
    omp_allocator_handle_t allocator;
    uint32_t unused;
};

/* Handles below this number are those that omp.h names. */
#define NAMED 16u
#define POWER_OF_TWO(x) ((x) && !((x) & ((x) - 1)))

static struct allocator *own(omp_allocator_handle_t handle)
{
    return (uintptr_t)handle < NAMED ? NULL
                                     : (struct allocator *)(uintptr_t)handle;
}

/* False: the trait is not as OpenMP wants it. */
static int set(struct allocator *allocator, const omp_alloctrait_t *trait)
{
    int is_default = trait->value == (omp_uintptr_t)omp_atv_default;

    switch (trait->key) {
    case omp_atk_alignment:
        allocator->alignment = is_default ? 1 : trait->value;
        return POWER_OF_TWO(allocator->alignment);
    case omp_atk_pool_size:
        allocator->pool = is_default ? UINT32_MAX : trait->value;
        return allocator->pool > 0;
    case omp_atk_fallback:
        allocator->fallback =
            is_default ? (uint32_t)omp_atv_default_mem_fb : trait->value;
        return allocator->fallback >= omp_atv_default_mem_fb &&
               allocator->fallback <= omp_atv_allocator_fb;
    case omp_atk_fb_data:
        allocator->next = (omp_allocator_handle_t)trait->value;
        return 1;
    default:
        return trait->key >= omp_atk_sync_hint &&
               trait->key <= omp_atk_partition;
    }
}

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space,
                                          int count,
                                          const omp_alloctrait_t traits[])
{
    struct allocator *new = malloc(sizeof *new);
    int right = new != NULL;

    (void)space;
    if (right)
        *new = (struct allocator){.pool = UINT32_MAX,
                                  .alignment = 1,
                                  .fallback = omp_atv_default_mem_fb};
    for (int n = 0; right && n < count; n++)
        right = set(new, &traits[n]);
    if (right && new->fallback == omp_atv_allocator_fb)
        right = new->next != omp_null_allocator;
    if (right)
        return (omp_allocator_handle_t)(uintptr_t)new;
    free(new);
    return omp_null_allocator;
}

void omp_destroy_allocator(omp_allocator_handle_t handle)
{
    free(own(handle));
}

void omp_set_default_allocator(omp_allocator_handle_t handle)
{
    crf_omp_self.allocator = handle;
}

omp_allocator_handle_t omp_get_default_allocator(void)
{
    return crf_omp_self.allocator ? crf_omp_self.allocator
                                  : omp_default_mem_alloc;
}

/* What its pool had in use before; an allocator without a pool has none. */
static uint32_t book(struct allocator *allocator,
                     enum crf_atomic_operation operation, size_t bytes)
{
    if (!allocator || allocator->pool == UINT32_MAX)
        return 0;
    return (uint32_t)crf_atomic_modify(&allocator->used, sizeof allocator->used,
                                       operation, bytes, 0);
}

/* Takes bytes of the pool; false: it has too few. */
static int take(struct allocator *allocator, size_t bytes)
{
    uint32_t before = book(allocator, CRF_ADD, bytes);

    if (!allocator ||
        (before <= allocator->pool && bytes <= allocator->pool - before))
        return 1;
    book(allocator, CRF_SUB, bytes);
    return 0;
}

static void *place(size_t alignment, size_t bytes,
                   omp_allocator_handle_t handle)
{
    struct head *head;
    char *memory, *at;

    if (bytes > SIZE_MAX / 2 || alignment > SIZE_MAX / 4)
        return NULL;
    memory = malloc(bytes + sizeof *head + alignment);
    if (!memory)
        return NULL;
    at = (char *)(((uintptr_t)memory + sizeof *head + alignment - 1) &
                  -(uintptr_t)alignment);
    head = (struct head *)(void *)at - 1;
    *head =
        (struct head){.memory = memory, .bytes = bytes, .allocator = handle};
    return at;
}

void *omp_aligned_alloc(size_t alignment, size_t bytes,
                        omp_allocator_handle_t handle)
{
    struct allocator *from;
    size_t most =
        alignment > sizeof(struct head) ? alignment : sizeof(struct head);
    void *memory;

    if (!handle)
        handle = omp_get_default_allocator();
    if (!bytes || !POWER_OF_TWO(alignment))
        return NULL;
    from = own(handle);
    if (from && from->alignment > most)
        most = from->alignment;
    if (take(from, bytes)) {
        memory = place(most, bytes, handle);
        if (memory)
            return memory;
        book(from, CRF_SUB, bytes);
    }
    if (!from || from->fallback == omp_atv_null_fb)
        return NULL;
    if (from->fallback == omp_atv_abort_fb)
        crf_fail("a larger pool_size, or less memory",
                 "omp_alloc: no %zu bytes from an allocator that aborts then",
                 bytes);
    if (from->fallback == omp_atv_allocator_fb)
        return omp_aligned_alloc(alignment, bytes, from->next);
    return omp_aligned_alloc(alignment, bytes, omp_default_mem_alloc);
}

void *omp_alloc(size_t bytes, omp_allocator_handle_t handle)
{
    return omp_aligned_alloc(1, bytes, handle);
}

void *omp_aligned_calloc(size_t alignment, size_t count, size_t each,
                         omp_allocator_handle_t handle)
{
    void *memory = each && count > SIZE_MAX / each
                       ? NULL
                       : omp_aligned_alloc(alignment, count * each, handle);

    if (memory)
        memset(memory, 0, count * each);
    return memory;
}

void *omp_calloc(size_t count, size_t each, omp_allocator_handle_t handle)
{
    return omp_aligned_calloc(1, count, each, handle);
}

/* Frees memory by the allocator in its head; the handle does not matter. */
void omp_free(void *memory, omp_allocator_handle_t handle)
{
    struct head *head = memory;

    (void)handle;
    if (!memory)
        return;
    head--;
    book(own(head->allocator), CRF_SUB, head->bytes);
    free(head->memory);
}

/* The pool has room for the old block or the new one, not for both. */
void *omp_realloc(void *memory, size_t bytes, omp_allocator_handle_t handle,
                  omp_allocator_handle_t old)
{
    struct head *head = (struct head *)memory - 1;
    void *new;

    if (!memory)
        return omp_alloc(bytes, handle);
    if (!bytes) {
        omp_free(memory, old);
        return NULL;
    }
    book(own(head->allocator), CRF_SUB, head->bytes);
    new = omp_alloc(bytes, handle ? handle : head->allocator);
    if (!new) {
        book(own(head->allocator), CRF_ADD, head->bytes);
        return NULL;
    }
    memcpy(new, memory, head->bytes < bytes ? head->bytes : bytes);
    free(head->memory);
    return new;
}

/* What Clang calls for the clauses. */
void *__kmpc_alloc(int32_t thread, size_t bytes, omp_allocator_handle_t handle)
{
    (void)thread;
    return omp_alloc(bytes, handle);
}

void *__kmpc_aligned_alloc(int32_t thread, size_t alignment, size_t bytes,
                           omp_allocator_handle_t handle)
{
    (void)thread;
    return omp_aligned_alloc(alignment, bytes, handle);
}

void __kmpc_free(int32_t thread, void *memory, omp_allocator_handle_t handle)
{
    (void)thread;
    omp_free(memory, handle);
}

omp_allocator_handle_t __kmpc_init_allocator(int32_t thread,
                                             omp_memspace_handle_t space,
                                             int count,
                                             const omp_alloctrait_t *traits)
{
    (void)thread;
    return omp_init_allocator(space, count, traits);
}

void __kmpc_destroy_allocator(int32_t thread, omp_allocator_handle_t handle)
{
    (void)thread;
    omp_destroy_allocator(handle);
}
