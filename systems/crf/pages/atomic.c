/*
 * atomic.c: atomic operations. LOCK locks nothing between cores, so `rck cc
 * -pthread` puts calls of these functions in the place of atomic instructions.
 *
 * An operation is done on the shared page itself, under a test-and-set
 * register that the address chooses; what this core has changed of the bytes
 * is committed first, and its own copy, if it has one, gets the new value. With
 * an order of release or acquire it commits before or reconciles after; a
 * relaxed one does not, and the others are told of the page at the next
 * release.
 */
#include "pages.h"

#include <string.h>

#include "scc/cache.h"

enum { ADD, SUB, AND, OR, XOR, NAND, XCHG, MAX, MIN, UMAX, UMIN };
#define MOST 256u /* bytes */

static uint16_t told_later[CRF_PAGES_MAX];
static uint8_t is_told_later[CRF_PAGES_MAX];
static uint32_t told_later_count;

uint32_t crf_atomic_changed(uint16_t *changed, uint32_t count)
{
    for (uint32_t n = 0; n < told_later_count; n++) {
        changed[count++] = told_later[n];
        is_told_later[told_later[n]] = 0;
    }
    told_later_count = 0;
    return count;
}

static void tell_later(uint32_t page)
{
    if (!is_told_later[page])
        told_later[told_later_count++] = (uint16_t)page;
    is_told_later[page] = 1;
}

/* Calls back for each page's part of the bytes. */
static void each_part(char *at, uint32_t size, uint8_t *bytes,
                      void (*act)(uint32_t page, uint32_t from, uint32_t count,
                                  uint8_t *bytes))
{
    while (size > 0) {
        uint32_t page = crf_page_of(at);
        uint32_t from = (uint32_t)(uintptr_t)at % CRF_PAGE;
        uint32_t count = CRF_PAGE - from < size ? CRF_PAGE - from : size;

        if (page == CRF_NO_PAGE)
            crf_fail("static data, malloc's memory and stacks are shared",
                     "atomic operation on %p, which is not shared", (void *)at);
        act(page, from, count, bytes);
        at += count;
        bytes += count;
        size -= count;
    }
}

/* The shared page holds what this core has of the bytes. */
static void commit(uint32_t page, uint32_t from, uint32_t count, uint8_t *bytes)
{
    int changed;

    (void)bytes;
    if (crf_state[page] == CRF_DIRTY || crf_own_stack(page))
        changed = crf_commit_bytes(page, from, from + count);
    else /* nothing of this core's, but what the loader made */
        changed = !crf_is_committed(page) && crf_commit_first(page);
    if (changed)
        tell_later(page);
}

static void read_part(uint32_t page, uint32_t from, uint32_t count,
                      uint8_t *bytes)
{
    memcpy(bytes, crf_lines + crf_shared_offset(page) + from, count);
}

static void write_part(uint32_t page, uint32_t from, uint32_t count,
                       uint8_t *bytes)
{
    memcpy(crf_lines + crf_shared_offset(page) + from, bytes, count);
}

/* This core's copy gets what was written; without a copy nothing is to do. */
static void adopt(uint32_t page, uint32_t from, uint32_t count, uint8_t *bytes)
{
    tell_later(page);
    if (!crf_own_stack(page)) {
        if (crf_state[page] == CRF_ABSENT)
            return;
        if (crf_state[page] == CRF_CLEAN)
            crf_open_for_writing(page);
    }
    crf_new_twin(page);
    memcpy(crf_page_address(page) + from, bytes, count);
    memcpy(crf_twin[page] + from, bytes, count);
}

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
    uint32_t guard = (uint32_t)at >> 3;
    uint8_t bytes[MOST] __attribute__((aligned(8)));
    int written;

    if (size > MOST)
        crf_fail("use a mutex", "atomic operation on %u bytes, of %u at most",
                 (unsigned)size, (unsigned)MOST);
    if (order & CRF_RELEASE)
        crf_release();
    if (crf_page_of(at) == CRF_NO_PAGE) { /* each core's own */
        memcpy(bytes, at, size);
        if (compute(bytes, how))
            memcpy(at, bytes, size);
        return;
    }
    each_part(at, size, bytes, commit);
    crf_guard(guard);
    scc_cl1invmb();
    each_part(at, size, bytes, read_part);
    written = compute(bytes, how);
    if (written) {
        each_part(at, size, bytes, write_part);
        crf_push();
    }
    crf_unguard(guard);
    if (written)
        each_part(at, size, bytes, adopt);
    if (order & CRF_ACQUIRE)
        crf_acquire();
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
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case AND:
        return a & b;
    case OR:
        return a | b;
    case XOR:
        return a ^ b;
    case NAND:
        return ~(a & b);
    case MAX:
        return less ? b : a;
    case MIN:
        return less ? a : b;
    case UMAX:
        return a < b ? b : a;
    case UMIN:
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

    crf_atomic_change(at, size, modify, &how, order);
    return how.old;
}

uint64_t crf_atomic_compare(void *at, uint32_t size, uint64_t expected,
                            uint64_t value, uint32_t order)
{
    struct integer how = {size, XCHG, low(value, size), low(expected, size), 0};

    crf_atomic_change(at, size, exchange_if_equal, &how, order);
    return how.old;
}

uint64_t crf_atomic_read(void *at, uint32_t size, uint32_t order)
{
    struct integer how = {size, 0, 0, 0, 0};

    crf_atomic_change(at, size, look, &how, order & CRF_ACQUIRE);
    return how.old;
}

void crf_atomic_fence(uint32_t order)
{
    if (order & CRF_RELEASE)
        crf_release();
    if (order & CRF_ACQUIRE)
        crf_acquire();
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
    if (how->operation == MAX || how->operation == MIN)
        a = (a < b) == (how->operation == MAX) ? b : a;
    else
        a = how->operation == ADD ? a + b : a - b;
    narrow = (float)a;
    memcpy(bytes, how->size == 8 ? (void *)&a : (void *)&narrow, how->size);
    return 1;
}

double crf_atomic_modify_real(void *at, uint32_t size, uint32_t operation,
                              double value, uint32_t order)
{
    struct real how = {size, operation, value, 0};

    crf_atomic_change(at, size, modify_real, &how, order);
    return how.old;
}
