/*
 * link_job.c: who the ranks are; the start.
 */
#include "link.h"

int tcpip_link_my_rank = -1, tcpip_link_ranks;
struct tcpip_counts tcpip_link_counts;
static const struct scc_job *job;

int tcpip_link_core(int rank)
{
    return job->core_of[rank];
}

int tcpip_link_start(void)
{
    if (job)
        return 0;
    job = scc_job_on_the_scc(NAME);
    tcpip_link_my_rank = job->rank;
    tcpip_link_ranks = job->ranks;
    tcpip_link_choose();
    tcpip_link_bell_open();
    tcpip_link_board(tcpip_link_my_rank)->state = STATE_UP;
    return 0;
}

int tcpip_rank(void)
{
    tcpip_link_start();
    return tcpip_link_my_rank;
}

int tcpip_ranks(void)
{
    tcpip_link_start();
    return tcpip_link_ranks;
}

const char *tcpip_buffers(void)
{
    tcpip_link_start();
    return tcpip_link_variant->name;
}

void tcpip_count(struct tcpip_counts *counts)
{
    *counts = tcpip_link_counts;
}
