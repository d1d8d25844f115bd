/*
 * direct.c: what the models without copies share: the program's accesses are
 * those of the page itself.
 */
#include "../pages/pages.h"
#include "model.h"

#include <string.h>
#include <sys/mman.h>

void crf_direct_stack_open(const struct crf_stack *stack)
{
    uint32_t guard = crf_page_of((const char *)stack->bottom);

    crf_state[guard] = CRF_GUARD;
    crf_protect(guard, 1, PROT_NONE);
}

/* Others may have the page between the two copies, but not the bytes: they
 * would need the guard. */
int crf_direct_change(void *at, uint32_t size,
                      int (*compute)(uint8_t *bytes, void *how), void *how)
{
    uint8_t bytes[CRF_ATOMIC_MOST] __attribute__((aligned(8)));
    uint32_t guard = (uint32_t)at >> 3;
    int written;

    crf_guard(guard);
    memcpy(bytes, at, size);
    written = compute(bytes, how);
    if (written)
        memcpy(at, bytes, size);
    crf_unguard(guard);
    return written;
}
