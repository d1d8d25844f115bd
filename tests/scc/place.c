// Who and where: the launch, the registers, distances and controllers agree.
// run: -n 3 --cores 0,11,46 --tag core
// expect-stdout:
// [00] core 0 of 3 ranks: tile 0 column 0 row 0, controller 0, 8 links to core 47, 7 to controller 3's
// [11] core 11 of 3 ranks: tile 5 column 5 row 0, controller 1, 3 links to core 47, 2 to controller 3's
// [46] core 46 of 3 ranks: tile 23 column 5 row 3, controller 3, 0 links to core 47, 1 to controller 3's
#include <stdio.h>

#include "scc/job.h"
#include "scc/map.h"

int main(void)
{
    const struct scc_job *job = scc_job_on_the_scc("test");
    int core = job->core;

    if (scc_own_core() != core || job->core_of[job->rank] != core)
        return 1;
    if (job->ghz < 0.532 || job->ghz > 0.534)
        return 2;
    printf("core %d of %d ranks: tile %d column %d row %d, controller %d, "
           "%d links to core 47, %d to controller 3's\n",
           core, job->ranks, scc_tile_of(core), scc_column_of(core),
           scc_row_of(core), scc_controller_of(core), scc_hops(core, 47),
           scc_hops_to_controller(core, 3));
    return 0;
}
