/*
 * link_job.c: who the ranks are; the start.
 */
#include "link.h"

int link_my_rank = -1, link_ranks;
struct tcpip_counts link_counts;
static const struct scc_job *job;

int link_core(int rank)
{
    return job->core_of[rank];
}

int link_start(void)
{
    if (job)
        return 0;
    job = scc_job_on_the_scc(NAME);
    link_my_rank = job->rank;
    link_ranks = job->ranks;
    link_choose();
    link_bell_open();
    link_board(link_my_rank)->state = STATE_UP;
    return 0;
}

int tcpip_rank(void)
{
    link_start();
    return link_my_rank;
}

int tcpip_ranks(void)
{
    link_start();
    return link_ranks;
}

const char *tcpip_buffers(void)
{
    link_start();
    return link_variant->name;
}

void tcpip_count(struct tcpip_counts *counts)
{
    *counts = link_counts;
}
