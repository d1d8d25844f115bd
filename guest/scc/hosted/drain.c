/*
 * drain.c: the line that scc_push stores to.
 */
#include "scc/claim.h"
#include "scc/map.h"

SCC_PLAN(drain, SCC_MPB_LINE, SCC_TOGETHER, 0, 1, "scc");

volatile void *scc_drain(void)
{
    static volatile void *line;

    if (!line) {
        int core = scc_own_core();

        if (core < 0)
            return NULL;
        scc_claim(SCC_MPB_LINE, SCC_TOGETHER, 0, 1, "scc");
        line = scc_map(SCC_MPBT, scc_mpb_of(core), SCC_PAGE);
    }
    return line;
}
