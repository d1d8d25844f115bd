/*
 * atomic.c: atomic operations. LOCK locks nothing between cores, so `rck cc
 * -pthread` puts calls of these functions in the place of atomic instructions.
 *
 * How one is done is the model's; with an order of release or acquire it
 * commits before or reconciles after.
 */
#include "../models/model.h"
#include "pages.h"

#include <string.h>

/* A thread may wait for others of its core in a loop of atomic operations. */
static void let_others_run(int written)
{
    static uint32_t count;

    count += written ? 1 : 8;
    if (count < 32)
        return;
    count = 0;
    crf_yield();
}

/* `compute` changes the bytes; false: they stay as they are. */
void crf_atomic_change(void *at, uint32_t size,
                       int (*compute)(uint8_t *bytes, void *how), void *how,
                       uint32_t order)
{
    uint8_t bytes[CRF_ATOMIC_MOST] __attribute__((aligned(8)));
    int written;

    if (size > CRF_ATOMIC_MOST)
        crf_fail("use a mutex", "atomic operation on %u bytes, of %u at most",
                 (unsigned)size, CRF_ATOMIC_MOST);
    if (order & CRF_RELEASE)
        crf_release_to(at);
    if (crf_page_of(at) == CRF_NO_PAGE) { /* each core's own */
        memcpy(bytes, at, size);
        if (compute(bytes, how))
            memcpy(at, bytes, size);
        return;
    }
    written = crf_model->change(at, size, compute, how);
    if (order & CRF_ACQUIRE)
        crf_acquire_from(at);
    let_others_run(written);
}

/* Integers of 1 to 8 bytes. */
struct integer {
    uint32_t size, operation;
    uint64_t value, expected, old;
};

static int64_t with_sign(uint64_t value, uint32_t size)
{
    uint32_t unused = 64 - 8 * size;

    return (int64_t)(value << unused) >> unused;
}

static uint64_t result(const struct integer *how)
{
    uint64_t a = how->old, b = how->value;
    int less = with_sign(a, how->size) < with_sign(b, how->size);

    switch (how->operation) {
    case CRF_ADD:
        return a + b;
    case CRF_SUB:
        return a - b;
    case CRF_AND:
        return a & b;
    case CRF_OR:
        return a | b;
    case CRF_XOR:
        return a ^ b;
    case CRF_NAND:
        return ~(a & b);
    case CRF_MAX:
        return less ? b : a;
    case CRF_MIN:
        return less ? a : b;
    case CRF_UMAX:
        return a < b ? b : a;
    case CRF_UMIN:
        return a < b ? a : b;
    default:
        return b;
    }
}

static int modify(uint8_t *bytes, void *context)
{
    struct integer *how = context;
    uint64_t new;

    memcpy(&how->old, bytes, how->size);
    new = result(how);
    memcpy(bytes, &new, how->size);
    return 1;
}

static int exchange_if_equal(uint8_t *bytes, void *context)
{
    struct integer *how = context;

    memcpy(&how->old, bytes, how->size);
    if (how->old != how->expected)
        return 0;
    memcpy(bytes, &how->value, how->size);
    return 1;
}

static int look(uint8_t *bytes, void *context)
{
    struct integer *how = context;

    memcpy(&how->old, bytes, how->size);
    return 0;
}

static uint64_t low(uint64_t value, uint32_t size)
{
    return size == 8 ? value : value & ((1ull << 8 * size) - 1);
}

uint64_t crf_atomic_modify(void *at, uint32_t size, uint32_t operation,
                           uint64_t value, uint32_t order)
{
    struct integer how = {size, operation, low(value, size), 0, 0};

    crf_order_atomic(at, size, 1, __builtin_return_address(0));
    crf_atomic_change(at, size, modify, &how, order);
    return how.old;
}

uint64_t crf_atomic_compare(void *at, uint32_t size, uint64_t expected,
                            uint64_t value, uint32_t order)
{
    struct integer how = {size, CRF_XCHG, low(value, size), low(expected, size),
                          0};

    crf_order_atomic(at, size, 1, __builtin_return_address(0));
    crf_atomic_change(at, size, exchange_if_equal, &how, order);
    return how.old;
}

uint64_t crf_atomic_read(void *at, uint32_t size, uint32_t order)
{
    struct integer how = {size, 0, 0, 0, 0};

    crf_order_atomic(at, size, 0, __builtin_return_address(0));
    crf_atomic_change(at, size, look, &how, order & CRF_ACQUIRE);
    return how.old;
}

/* A fence orders with all fences: which relaxed operation goes with which one
 * is not looked at. */
void crf_atomic_fence(uint32_t order)
{
    static const char fences;

    if (order & CRF_RELEASE)
        crf_release_to(&fences);
    if (order & CRF_ACQUIRE)
        crf_acquire_from(&fences);
}

/* Floating point: size 4 or 8. */
struct real {
    uint32_t size, operation;
    double value, old;
};

static int modify_real(uint8_t *bytes, void *context)
{
    struct real *how = context;
    double a, b = how->value;
    float narrow;

    memcpy(&narrow, bytes, sizeof narrow);
    a = narrow;
    if (how->size == 8)
        memcpy(&a, bytes, sizeof a);
    how->old = a;
    if (how->operation == CRF_MAX || how->operation == CRF_MIN)
        a = (a < b) == (how->operation == CRF_MAX) ? b : a;
    else
        a = how->operation == CRF_ADD ? a + b : a - b;
    narrow = (float)a;
    memcpy(bytes, how->size == 8 ? (void *)&a : (void *)&narrow, how->size);
    return 1;
}

double crf_atomic_modify_real(void *at, uint32_t size, uint32_t operation,
                              double value, uint32_t order)
{
    struct real how = {size, operation, value, 0};

    crf_order_atomic(at, size, 1, __builtin_return_address(0));
    crf_atomic_change(at, size, modify_real, &how, order);
    return how.old;
}
