// Six cores add to one word under a lock that backs off, and to another one
// under an atomic counter: no addition is lost.
// run: -n 6 --tag none
// expect-stdout:
// 240 240
#include <stdio.h>

#include "scc/job.h"
#include "scc/map.h"

#define ROUNDS 40

int main(void)
{
    const struct scc_job *job = scc_job();
    volatile uint32_t *words = scc_map(SCC_UNCACHED, SCC_SHARED_BASE, SCC_PAGE);
    volatile uint32_t *counter = scc_fpga(SCC_FPGA_COUNTER(10));
    scc_lock *lock = scc_lock_of(job->core_of[5]);

    for (int n = 0; n < ROUNDS; n++) {
        scc_lock_take(lock, 16, 1024);
        words[0]++;
        scc_lock_give(lock);
        scc_counter_take(counter, 64, 8192);
        words[1]++;
        scc_counter_give(counter);
    }
    scc_lock_take(lock, 16, 1024);
    words[2]++;
    scc_lock_give(lock);
    if (job->rank != 0)
        return 0;
    while (words[2] != 6)
        ;
    printf("%u %u\n", (unsigned)words[0], (unsigned)words[1]);
    return 0;
}
