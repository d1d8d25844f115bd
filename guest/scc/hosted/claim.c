/*
 * claim.c: the table of claims.
 */
#include "scc/claim.h"

#include <string.h>

#include "scc/job.h"
#include "scc/say.h"

#define MOST_CLAIMS 256

/* Nothing: so that there is a section. */
SCC_PLAN(nothing, SCC_SHARED, SCC_TOGETHER, 0, 0, "scc");

/* Rows of SCC_PLAN in all objects of the program; the linker names the
 * section's ends. */
extern const struct scc_claim __start_scc_claims[], __stop_scc_claims[];

static struct scc_claim claims[MOST_CLAIMS];
static int claimed;

static const char *const names[SCC_RESOURCES][2] = {
    [SCC_SHARED] = {"bytes", "of the shared memory"},
    [SCC_MPB_LINE] = {"lines", "of each core's message buffer"},
    [SCC_LOCK] = {"cores", "of the test-and-set registers"},
    [SCC_COUNTER] = {"counters", "of the FPGA"},
    [SCC_LUT_ENTRY] = {"entries", "of the LUT"},
};

static int overlaps(const struct scc_claim *a, const struct scc_claim *b)
{
    return a->resource == b->resource &&
           !(a->use == SCC_TOGETHER && b->use == SCC_TOGETHER) &&
           a->first < b->first + b->count && b->first < a->first + a->count &&
           strcmp(a->owner, b->owner) != 0;
}

static const struct scc_claim *find(const struct scc_claim *from,
                                    const struct scc_claim *end,
                                    const struct scc_claim *wanted)
{
    for (; from < end; from++)
        if (overlaps(from, wanted))
            return from;
    return NULL;
}

const struct scc_claim *scc_claim_in_the_way(enum scc_resource resource,
                                             enum scc_use use, uint32_t first,
                                             uint32_t count, const char *owner)
{
    const struct scc_claim wanted = {resource, use, first, count, owner};
    const struct scc_claim *other = find(claims, claims + claimed, &wanted);

    return other ? other : find(__start_scc_claims, __stop_scc_claims, &wanted);
}

static _Noreturn void refuse(const struct scc_claim *wanted,
                             const struct scc_claim *other)
{
    const char *const *name = names[wanted->resource];

    scc_fail("scc", "leave one of the two out of this program",
             "%s needs %s 0x%x to 0x%x %s, where %s has 0x%x to 0x%x",
             wanted->owner, name[0], (unsigned)wanted->first,
             (unsigned)(wanted->first + wanted->count - 1), name[1],
             other->owner, (unsigned)other->first,
             (unsigned)(other->first + other->count - 1));
}

void scc_claim(enum scc_resource resource, enum scc_use use, uint32_t first,
               uint32_t count, const char *owner)
{
    const struct scc_claim wanted = {resource, use, first, count, owner};
    const struct scc_claim *other = find(claims, claims + claimed, &wanted);

    if (other)
        refuse(&wanted, other);
    for (int n = 0; n < claimed; n++)
        if (!memcmp(&claims[n], &wanted, sizeof wanted))
            return;
    if (claimed == MOST_CLAIMS)
        scc_fail("scc", "claim larger places", "%s: more than %d claims", owner,
                 MOST_CLAIMS);
    claims[claimed++] = wanted;
}

void scc_unclaim(enum scc_resource resource, const char *owner)
{
    for (int n = 0; n < claimed;)
        if (claims[n].resource == resource && !strcmp(claims[n].owner, owner))
            claims[n] = claims[--claimed];
        else
            n++;
}

uint32_t scc_claim_gap(enum scc_resource resource, uint32_t *first,
                       uint32_t end, const char *owner)
{
    const struct scc_claim *other;
    uint32_t count;

    while (*first < end && (other = scc_claim_in_the_way(resource, SCC_ALONE,
                                                         *first, 1, owner)))
        *first = other->first + other->count;
    if (*first >= end)
        return 0;
    count = end - *first;
    while ((other = scc_claim_in_the_way(resource, SCC_ALONE, *first, count,
                                         owner)))
        count = other->first - *first;
    return count;
}
