/*
 * stack_of.c: which stack a thread gets. The first thread of each core has one
 * that lies before the heap; others are cut from the heap. A stack stays its
 * core's when its thread has ended, for the next one there.
 */
#include "../threads.h"

static struct crf_stack *stack(uint32_t number)
{
    return &crf_control->stack[number];
}

/* From the heap, with a page below that no thread may touch. */
static int make(struct crf_stack *new, int rank, size_t wanted)
{
    uint32_t pages;
    char *bottom;

    if (wanted > CRF_SHARED_MOST)
        return 0;
    pages = (uint32_t)(wanted + CRF_PAGE - 1) / CRF_PAGE + 1;
    bottom = crf_take_pages(pages, rank);
    if (!bottom)
        return 0;
    new->bottom = (uint32_t)bottom;
    new->bytes = pages * CRF_PAGE;
    new->rank = (uint32_t)rank;
    return 1;
}

/* Under the guard of all threads' records; false if there is no room. */
int crf_stack_take(int rank, size_t wanted, uint32_t *number)
{
    for (*number = 0; *number < CRF_THREADS; ++*number) {
        struct crf_stack *at = stack(*number);

        if (at->bytes == 0 && !make(at, rank, wanted))
            return 0;
        if (at->taken || at->rank != (uint32_t)rank ||
            at->bytes < wanted + CRF_PAGE)
            continue;
        at->taken = 1;
        return 1;
    }
    return 0;
}
