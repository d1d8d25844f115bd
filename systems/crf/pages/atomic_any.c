/*
 * atomic_any.c: atomic operations on types of any size, by the names that
 * compilers call; their own library's would lock a copy alone.
 */
#include "pages.h"

#include <string.h>

#define CALLER __builtin_return_address(0)

struct any {
    uint32_t size;
    void *old;       /* where what was there goes; null: nowhere */
    const void *new; /* null: it stays */
    int equal;       /* -1: whatever is there; else whether it was as `old` */
};

static int act(uint8_t *bytes, void *context)
{
    struct any *how = context;

    if (how->equal >= 0) {
        how->equal = memcmp(bytes, how->old, how->size) == 0;
        if (how->equal) {
            memcpy(bytes, how->new, how->size);
            return 1;
        }
    }
    if (how->old)
        memcpy(how->old, bytes, how->size);
    if (how->equal == 0 || !how->new)
        return 0;
    memcpy(bytes, how->new, how->size);
    return 1;
}

/* All as if sequentially consistent. */
static int any(uint32_t size, void *at, void *old, const void *new, int equal,
               const void *caller)
{
    struct any how = {size, old, new, equal};

    crf_order_atomic(at, size, new != NULL, caller);
    crf_atomic_change(at, size, act, &how, CRF_ACQUIRE | CRF_RELEASE);
    return how.equal;
}

#pragma redefine_extname crf_any_load __atomic_load
void crf_any_load(uint32_t size, void *at, void *to, int order)
{
    (void)order;
    any(size, at, to, NULL, -1, CALLER);
}

#pragma redefine_extname crf_any_store __atomic_store
void crf_any_store(uint32_t size, void *at, const void *from, int order)
{
    (void)order;
    any(size, at, NULL, from, -1, CALLER);
}

#pragma redefine_extname crf_any_exchange __atomic_exchange
void crf_any_exchange(uint32_t size, void *at, const void *from, void *to,
                      int order)
{
    (void)order;
    any(size, at, to, from, -1, CALLER);
}

#pragma redefine_extname crf_any_compare __atomic_compare_exchange
_Bool crf_any_compare(uint32_t size, void *at, void *expected, const void *from,
                      int order, int order_of_failure)
{
    (void)order;
    (void)order_of_failure;
    return any(size, at, expected, from, 0, CALLER) == 1;
}
