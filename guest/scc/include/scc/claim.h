/* Who uses what of the chip in this program. Hosted half.
 *
 * Shared memory, message buffers, locks, counters and LUT entries have no
 * owner that the chip knows: two libraries that take one place corrupt each
 * other in silence. So each takes its places here, and an overlap ends the
 * program with an error that names both.
 *
 * A place that is always the same stands in a plan (SCC_PLAN) as well, in the
 * object that uses it: it is known before anything runs, and who may choose
 * its places (scc_claim_gap) goes around it, whoever starts first.
 */
#ifndef SCC_CLAIM_H
#define SCC_CLAIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum scc_resource {
    SCC_SHARED,    /* bytes of the memory that all cores share */
    SCC_MPB_LINE,  /* lines of each core's message buffer */
    SCC_LOCK,      /* test-and-set registers, by core */
    SCC_COUNTER,   /* atomic counters of the FPGA */
    SCC_LUT_ENTRY, /* entries of the own LUT */
    SCC_RESOURCES
};

/* With others: those that claim it so may have one place together. Registers
 * that are held for a few accesses and never while another one is waited for;
 * the line that drains the write-combine buffer, whose contents mean nothing.
 */
enum scc_use { SCC_ALONE, SCC_TOGETHER };

struct scc_claim {
    enum scc_resource resource;
    enum scc_use use;
    uint32_t first, count;
    const char *owner;
};

#define SCC_PLAN(name, resource, use, first, count, owner)             \
    __attribute__((section("scc_claims"), used,                        \
                   aligned(4))) static const struct scc_claim name = { \
        resource, use, first, count, owner}

/* Takes a place; one owner may take one twice. */
void scc_claim(enum scc_resource resource, enum scc_use use, uint32_t first,
               uint32_t count, const char *owner);
/* Gives up what the owner has of a resource. */
void scc_unclaim(enum scc_resource resource, const char *owner);
/* Somebody else's claim or plan that would overlap; NULL: there is none. */
const struct scc_claim *scc_claim_in_the_way(enum scc_resource resource,
                                             enum scc_use use, uint32_t first,
                                             uint32_t count, const char *owner);
/* Moves `*first` up to the first place before `end` that nobody else has or
 * plans; how many follow it, 0: there is none. */
uint32_t scc_claim_gap(enum scc_resource resource, uint32_t *first,
                       uint32_t end, const char *owner);

#ifdef __cplusplus
}
#endif

#endif
