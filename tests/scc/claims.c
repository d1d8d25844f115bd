// Plans and claims: whoever chooses its place goes around both; one owner may
// come twice, together with others where that is meant.
// run: -n 1 --tag none
// expect-stdout:
// gap 0x0 0x1000, gap 0x1200 0xce00, gap 0x10000 0x3ff0000
// gap 0x0 0x800, gap 0x1200 0xce00, gap 0x10000 0x3ff0000
// in the way: fixed, nobody
#include <stdio.h>

#include "scc/claim.h"
#include "scc/memory_map.h"

SCC_PLAN(one, SCC_SHARED, SCC_ALONE, 0x1000, 0x200, "fixed");
SCC_PLAN(two, SCC_SHARED, SCC_ALONE, 0xe000, 0x2000, "other");

static void print_gaps(const char *owner)
{
    uint32_t first = 0, count;
    const char *before = "";

    while (
        (count = scc_claim_gap(SCC_SHARED, &first, SCC_SHARED_SIZE, owner))) {
        printf("%sgap 0x%x 0x%x", before, (unsigned)first, (unsigned)count);
        first += count;
        before = ", ";
    }
    puts("");
}

int main(void)
{
    const struct scc_claim *other;

    print_gaps("flexible");
    scc_claim(SCC_SHARED, SCC_ALONE, 0x800, 0x800, "early");
    scc_claim(SCC_SHARED, SCC_ALONE, 0x800, 0x800, "early");
    print_gaps("flexible");
    scc_claim(SCC_LOCK, SCC_TOGETHER, 0, 48, "a");
    scc_claim(SCC_LOCK, SCC_TOGETHER, 3, 1, "b");
    other = scc_claim_in_the_way(SCC_SHARED, SCC_ALONE, 0x11ff, 1, "flexible");
    printf("in the way: %s", other ? other->owner : "nobody");
    other = scc_claim_in_the_way(SCC_SHARED, SCC_ALONE, 0x1000, 4, "fixed");
    printf(", %s\n", other ? other->owner : "nobody");
    return 0;
}
