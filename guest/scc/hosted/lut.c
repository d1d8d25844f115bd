/*
 * lut.c: entries of private memory, and free ones.
 */
#include "scc/lut.h"

#include "scc/claim.h"

/* The entries between private memory and message buffers. */
#define FIRST_FREE 41
#define LAST_FREE 191
/* An entry without a use of its own holds the value that this one has. */
#define UNUSED 191

int scc_lut_private(volatile uint32_t *lut)
{
    uint32_t unused = scc_lut_entry(lut, UNUSED);
    int count = 0;

    while (count < FIRST_FREE && scc_lut_entry(lut, count) != unused)
        count++;
    return count;
}

static int is_shared(int n)
{
    return n >= (int)(SCC_SHARED_BASE >> SCC_SEGMENT_SHIFT) &&
           n < (int)((SCC_SHARED_BASE + SCC_SHARED_SIZE) >> SCC_SEGMENT_SHIFT);
}

int scc_lut_free(volatile uint32_t *lut, int from, const char *owner)
{
    uint32_t unused = scc_lut_entry(lut, UNUSED);

    for (int n = from > FIRST_FREE ? from : FIRST_FREE; n <= LAST_FREE; n++)
        if (!is_shared(n) && scc_lut_entry(lut, n) == unused &&
            !scc_claim_in_the_way(SCC_LUT_ENTRY, SCC_ALONE, (uint32_t)n, 1,
                                  owner))
            return n;
    return -1;
}
