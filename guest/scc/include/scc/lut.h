/* LUT entries: which of them lead to a core's private memory, and which have no
 * use. Hosted half. `lut` is what scc_lut returns. */
#ifndef SCC_LUT_H
#define SCC_LUT_H

#include "scc/map.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCC_SEGMENT (1u << SCC_SEGMENT_SHIFT)

static inline uint32_t scc_lut_entry(volatile uint32_t *lut, int n)
{
    return lut[2 * n];
}

static inline void scc_lut_set(volatile uint32_t *lut, int n, uint32_t value)
{
    lut[2 * n] = value;
}

/* The part of an entry that names the memory controller. */
static inline uint32_t scc_lut_route(uint32_t entry)
{
    return entry & (SCC_LUT_LUT0_X | SCC_LUT_LUT0_Y | SCC_LUT_LUT0_SUB);
}

/* The number of segments of private memory: the entries from 0 on. */
int scc_lut_private(volatile uint32_t *lut);
/* The first entry from `from` on that neither the default map nor another
 * owner uses; -1 if there is none. */
int scc_lut_free(volatile uint32_t *lut, int from, const char *owner);

#ifdef __cplusplus
}
#endif

#endif
