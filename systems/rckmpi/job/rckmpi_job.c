/*
 * rckmpi_job.c: who the ranks are, and where their message buffers are.
 *
 * Ranks, cores and their order come from the kernel, as it got them from the
 * launcher. RCKMPI_JOBS (24,24) makes several jobs of one launch, which meet
 * by MPI's ports; a process that another one has started reads its job from
 * the board.
 */
#include "../rckmpi_private.h"
#include "scc/claim.h"
#include "scc/job.h"
#include "scc/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

SCC_PLAN(plan, SCC_MPB_LINE, SCC_ALONE, 0, SCC_MPB_LINES, RCKMPI_NAME);

int rckmpi_my_rank, rckmpi_ranks, rckmpi_my_core;
int rckmpi_my_job;
volatile char *rckmpi_mpb[RCKMPI_MOST_RANKS];
static int cores[RCKMPI_MOST_RANKS];

int rckmpi_spans(const char *text, int *numbers, int most)
{
    int known = 0;

    while (*text) {
        char *end;
        int first = (int)strtol(text, &end, 10), last = first;
        if (end == text)
            break;
        if (*end == '-')
            last = (int)strtol(end + 1, &end, 10);
        while (first <= last && known < most)
            numbers[known++] = first++;
        text = *end ? end + 1 : end;
    }
    return known;
}

static int read_launch(void)
{
    const struct scc_job *job = scc_job();

    if (!job || job->ranks > RCKMPI_MOST_RANKS)
        return 0;
    rckmpi_ranks = job->ranks;
    memcpy(cores, job->core_of, sizeof *cores * (size_t)job->ranks);
    return 1;
}

/* The part of the launch that this core is in, as RCKMPI_JOBS cuts it. */
static void choose_job(void)
{
    const char *text = getenv("RCKMPI_JOBS");
    int sizes[RCKMPI_MOST_RANKS], first = 0;
    int jobs = text ? rckmpi_spans(text, sizes, RCKMPI_MOST_RANKS) : 0;

    for (int job = 0; job < jobs && first + sizes[job] <= rckmpi_ranks; job++) {
        for (int n = first; n < first + sizes[job]; n++)
            if (cores[n] == rckmpi_my_core) {
                memmove(cores, cores + first, sizeof *cores * sizes[job]);
                rckmpi_ranks = sizes[job];
                rckmpi_my_job = job;
                return;
            }
        first += sizes[job];
    }
}

int rckmpi_job(int *rank, int *size)
{
    if (rckmpi_ranks == 0) {
        rckmpi_my_core = scc_own_core();
        rckmpi_my_job = rckmpi_started();
        if (rckmpi_my_job > 0)
            rckmpi_ranks = rckmpi_order_cores(rckmpi_my_job, cores);
        else if (!read_launch())
            return -1;
        else
            choose_job();
    }
    rckmpi_my_rank = -1;
    for (int n = 0; n < rckmpi_ranks; n++) {
        if (cores[n] == rckmpi_my_core)
            rckmpi_my_rank = n;
        if (cores[n] >= RCKMPI_MOST_RANKS)
            return -1;
    }
    *rank = rckmpi_my_rank;
    *size = rckmpi_ranks;
    return rckmpi_my_rank < 0 ? -1 : 0;
}

int rckmpi_job_number(void)
{
    return rckmpi_my_job;
}

int rckmpi_core(int rank)
{
    return rank >= 0 && rank < rckmpi_ranks ? cores[rank] : -1;
}

int rckmpi_map(int core)
{
    if (!rckmpi_mpb[core]) {
        scc_claim(SCC_MPB_LINE, SCC_ALONE, 0, SCC_MPB_LINES, RCKMPI_NAME);
        rckmpi_mpb[core] =
            scc_map(SCC_MPBT, scc_mpb_of(core), SCC_MPB_SIZE_PER_CORE);
    }
    return rckmpi_mpb[core] != NULL;
}

/* All ranks find the same; one says it. */
void rckmpi_refuse(const char *what, const char *hint)
{
    if (rckmpi_my_rank <= 0)
        fprintf(stderr, "rckmpi: %s\nhint: %s\n", what, hint);
    exit(64);
}
