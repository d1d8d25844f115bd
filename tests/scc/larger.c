// On a larger chip cores are where its tiles say; what is the SCC's alone is refused.
// run: --chip scc-512 --cores 300 --tag none
// expect-exit: 1
// expect-match: ^core 300: tile 150, extended 1$
// expect-stderr: test: UE 0 \(core 300\): TEST needs an SCC of 48 cores\nhint: leave out --chip
#include <stdio.h>

#include "scc/job.h"
#include "scc/map.h"

int main(void)
{
    int core = scc_own_core();

    printf("core %d: tile %d, extended %d\n", core, scc_tile_of(core),
           scc_chip.extended);
    scc_job_on_the_scc("test");
    return 0;
}
