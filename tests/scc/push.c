// A line that is partly written is not there for others before scc_push.
// run: -n 2 --tag none
// expect-stdout:
// before 0, after 77
#include <stdio.h>

#include "scc/job.h"
#include "scc/map.h"
#include "scc/mpb.h"

/* Words of core 1's message buffer: the value, and, uncached, whose turn. */
enum { VALUE = 8, TURN = 16 };

int main(void)
{
    const struct scc_job *job = scc_job();
    uint32_t at = scc_mpb_of(job->core_of[1]);
    volatile uint32_t *lines = scc_map(SCC_MPBT, at, SCC_PAGE);
    volatile uint32_t *plain = scc_map(SCC_UNCACHED, at, SCC_PAGE);
    uint32_t before;

    (void)scc_drain();
    if (job->rank == 0) {
        lines[VALUE] = 77;
        plain[TURN] = 1;
        while (plain[TURN] != 2)
            ;
        scc_push(scc_drain());
        plain[TURN] = 3;
        return 0;
    }
    while (plain[TURN] != 1)
        ;
    before = plain[VALUE];
    plain[TURN] = 2;
    while (plain[TURN] != 3)
        ;
    printf("before %u, after %u\n", (unsigned)before, (unsigned)plain[VALUE]);
    return 0;
}
