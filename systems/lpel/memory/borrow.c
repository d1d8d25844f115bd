/*
 * borrow.c: shared memory out of LUT entries that cores do not need.
 *
 * A core that does not run has private memory behind the first entries of its
 * LUT. The conductor reads these through the donor's tile, and puts them into
 * entries of its own that are free; every core does the same, and maps them
 * at the same addresses [karavadara-lpel, section 3.1].
 */
#include "lpel_private.h"

#include "scc/claim.h"
#include "scc/lut.h"

#define CONTROLLERS 4

static volatile uint32_t *own;
static struct lpel_loan used;
static uint32_t before[LPEL_ENTRIES];

static int runs(int core)
{
    for (int rank = 0; rank < lpel_all_ranks; rank++)
        if (lpel_core_of[rank] == core)
            return 1;
    return 0;
}

static uint32_t route(int core)
{
    return scc_lut_route(scc_lut_entry(scc_lut(core), 0));
}

static int taken(int core, int donors, int by_route)
{
    for (int n = 0; n < donors; n++)
        if (lpel_configured.donors[n] == core ||
            (by_route && route(lpel_configured.donors[n]) == route(core)))
            return 1;
    return 0;
}

/* Four cores that do not run: of different controllers, if there are. */
static int choose_donors(void)
{
    int found = 0;

    for (int by_route = 1; by_route >= 0; by_route--)
        for (int core = RCCE_MAXNP - 1; core >= 0; core--)
            if (found < CONTROLLERS && !runs(core) &&
                !taken(core, found, by_route))
                lpel_configured.donors[found++] = core;
    return found;
}

static void check_donors(void)
{
    for (int n = 0; n < lpel_configured.donor_count; n++) {
        int core = lpel_configured.donors[n];

        if (core < 0 || core >= RCCE_MAXNP)
            lpel_fail("cores are 0 to 47", "donor %d is no core", core);
        if (runs(core))
            lpel_fail("name cores that do not run: `rck run --cores`",
                      "donor %d runs this program itself", core);
        if (taken(core, n, 0))
            lpel_fail("name each donor once", "donor %d stands there twice",
                      core);
    }
}

/* Donor after donor, so that the segments of one lie side by side. */
static int take(struct lpel_loan *loan, int donor, int wanted, int free_from)
{
    volatile uint32_t *lut = scc_lut(lpel_configured.donors[donor]);

    for (int n = 0; n < wanted; n++) {
        free_from = scc_lut_free(own, free_from, LPEL_NAME);
        if (free_from < 0)
            lpel_fail("ask for fewer segments",
                      "no free LUT entry: %d of %d segments have one",
                      loan->count, lpel_configured.segments);
        loan->entry[loan->count] = (uint8_t)free_from++;
        loan->value[loan->count++] = scc_lut_entry(lut, n);
    }
    loan->pool_entries[donor] = wanted;
    return free_from;
}

void lpel_borrow(struct lpel_loan *loan)
{
    int wanted = lpel_configured.segments, from = 0, donors, had = 0;

    own = scc_lut(lpel_core_of[lpel_my_rank]);
    if (lpel_configured.donor_count == 0)
        lpel_configured.donor_count = choose_donors();
    check_donors();
    donors = lpel_configured.donor_count;
    if (donors == 0)
        lpel_fail("run on fewer cores than the chip has",
                  "no core is left to borrow memory from");
    for (int n = 0; n < donors; n++)
        had += scc_lut_private(scc_lut(lpel_configured.donors[n]));
    if (wanted > had)
        lpel_fail("more donors, or fewer segments",
                  "%d segments of 16 MB wanted, %d donors have %d", wanted,
                  donors, had);
    loan->pools = donors;
    for (int n = 0; n < donors; n++) {
        int left = donors - n, share = (wanted + left - 1) / left;
        int has = scc_lut_private(scc_lut(lpel_configured.donors[n]));

        if (share > has)
            share = has;
        from = take(loan, n, share, from);
        wanted -= share;
    }
}

/* This core's LUT and addresses show what the conductor has borrowed. */
void lpel_use_loan(const struct lpel_loan *loan)
{
    int cached = lpel_configured.variant == LPEL_CACHED_STACKS;

    used = *loan;
    own = scc_lut(lpel_core_of[lpel_my_rank]);
    if (cached && (uint32_t)loan->count * LPEL_SEGMENT > LPEL_ALIAS)
        lpel_fail("ask for 64 segments at most",
                  "cached stacks need each address twice: %d segments are "
                  "too many",
                  loan->count);
    for (int n = 0; n < loan->count; n++) {
        uint32_t physical = (uint32_t)loan->entry[n] << 24;
        uint32_t at = LPEL_BASE + (uint32_t)n * LPEL_SEGMENT;

        if (scc_lut_free(own, loan->entry[n], LPEL_NAME) != loan->entry[n])
            lpel_fail("leave out what takes LUT entries, such as SHMADD",
                      "LUT entry %d of core %d is in use", loan->entry[n],
                      lpel_core_of[lpel_my_rank]);
        before[n] = scc_lut_entry(own, loan->entry[n]);
        scc_claim(SCC_LUT_ENTRY, SCC_ALONE, loan->entry[n], 1, LPEL_NAME);
        scc_lut_set(own, loan->entry[n], loan->value[n]);
        lpel_map(SCC_UNCACHED, at, physical, LPEL_SEGMENT);
        if (cached)
            lpel_map(SCC_CACHED, at + LPEL_ALIAS, physical, LPEL_SEGMENT);
    }
}

void lpel_give_back(void)
{
    for (int n = 0; n < used.count; n++)
        scc_lut_set(own, used.entry[n], before[n]);
    scc_unclaim(SCC_LUT_ENTRY, LPEL_NAME);
}
