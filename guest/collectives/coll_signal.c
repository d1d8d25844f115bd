/*
 * coll_signal.c: counted signals between pairs of UEs, and the dissemination
 * barrier on them: in round k each member signals the one 2^k behind it in
 * the ring of ranks and waits for the one 2^k before it.
 */
#include "collectives_lib.h"

void rcce_coll_signal(const struct rcce_group *group, int rank)
{
    int ue = group->member[rank];
    t_vcharp byte = rcce_on(rcce_inbox, ue) + rcce_my_rank;

    /* No store may hit a line in L1 and stay there. */
    rcce_invalidate_mpb();
    *byte = ++rcce_signals_out[ue];
    rcce_push_wcb();
}

void rcce_coll_await(const struct rcce_group *group, int rank)
{
    int ue = group->member[rank];
    unsigned char count = ++rcce_signals_in[ue];

    for (;;) {
        rcce_invalidate_mpb();
        if ((signed char)(rcce_inbox[ue] - count) >= 0)
            return;
        if (rcce_idle)
            rcce_idle();
    }
}

void rcce_coll_signal_others(const struct rcce_group *group)
{
    for (int n = 1; n < group->size; n++)
        rcce_coll_signal(group, (group->rank + n) % group->size);
}

void rcce_coll_await_others(const struct rcce_group *group)
{
    for (int n = 1; n < group->size; n++)
        rcce_coll_await(group, (group->rank + n) % group->size);
}

void rcce_coll_synchronize(const struct rcce_group *group)
{
    for (int step = 1; step < group->size; step *= 2) {
        rcce_coll_signal(group, (group->rank + step) % group->size);
        rcce_coll_await(group,
                        (group->rank + group->size - step) % group->size);
    }
}

int rcce_coll_barrier(const struct rcce_group *group)
{
    if (group->size == 0 || !rcce_inbox)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_COMM_UNDEFINED);
    rcce_coll_synchronize(group);
    return RCCE_SUCCESS;
}
