// A line box between two cores, each way: 300 messages come whole and in order,
// no findings.
// run: -n 2 --tag none --check coherence
// expect-stdout:
// 300 there, 300 back
// expect-stderr: no findings
#include <stdio.h>

#include "scc/box.h"
#include "scc/job.h"
#include "scc/map.h"

#define MESSAGES 300

static volatile uint32_t *line_of(const struct scc_job *job, int rank, int line)
{
    static volatile uint32_t *buffers[2];

    if (!buffers[rank])
        buffers[rank] =
            scc_map(SCC_MPBT, scc_mpb_of(job->core_of[rank]), SCC_PAGE);
    return buffers[rank] + line * (int)SCC_LINE_WORDS;
}

int main(void)
{
    const struct scc_job *job = scc_job();
    int me = job->rank, other = !me;
    struct scc_box out = {.line = line_of(job, other, 1),
                          .receipt = line_of(job, me, 2),
                          .drain = line_of(job, me, 0)};
    struct scc_box in = {.line = line_of(job, me, 1),
                         .receipt = line_of(job, other, 2),
                         .drain = line_of(job, me, 0)};
    uint32_t words[SCC_BOX_WORDS], sent = 0, came = 0;

    while (sent < MESSAGES || came < MESSAGES) {
        for (uint32_t n = 0; n < SCC_BOX_WORDS; n++)
            words[n] = 100 * sent + n;
        if (sent < MESSAGES)
            sent += (uint32_t)scc_box_put(&out, words);
        if (!scc_box_take(&in, words))
            continue;
        for (uint32_t n = 0; n < SCC_BOX_WORDS; n++)
            if (words[n] != 100 * came + n)
                return 1;
        came++;
    }
    if (me == 0)
        printf("%u there, %u back\n", (unsigned)sent, (unsigned)came);
    return 0;
}
