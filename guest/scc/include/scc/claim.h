/* The list of the chip's resources that this program uses. Hosted half.
 *
 * Shared memory, message buffers, locks, counters and LUT entries have no owner
 * that the chip knows: two libraries that use one place corrupt each other
 * silently. Each library therefore claims its places here, and an overlap ends
 * the program with an error that names both.
 *
 * A place that never changes is also in a plan (SCC_PLAN), in the object that
 * uses it. The plan is known before anything runs, so a library that may choose
 * its places (scc_claim_gap) avoids it, whoever starts first.
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

/* SCC_TOGETHER: all libraries that claim a place so may share it. For registers
 * that are held for a few accesses and never while waiting for another one; and
 * for the line that drains the write-combine buffer, whose contents have no
 * meaning.
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

/* Claims a place; one owner may claim a place twice. */
void scc_claim(enum scc_resource resource, enum scc_use use, uint32_t first,
               uint32_t count, const char *owner);
/* Gives up all that the owner has claimed of a resource. */
void scc_unclaim(enum scc_resource resource, const char *owner);
/* Another owner's claim or plan that would overlap; NULL if there is none. */
const struct scc_claim *scc_claim_in_the_way(enum scc_resource resource,
                                             enum scc_use use, uint32_t first,
                                             uint32_t count, const char *owner);
/* Moves `*first` up to the first place before `end` that no other owner has
 * claimed or planned. Returns the number of free places from there; 0 if
 * none. */
uint32_t scc_claim_gap(enum scc_resource resource, uint32_t *first,
                       uint32_t end, const char *owner);

#ifdef __cplusplus
}
#endif

#endif
