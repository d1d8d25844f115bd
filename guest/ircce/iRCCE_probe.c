/*
 * iRCCE_probe.c: looking whether a message has arrived that nobody expects
 * yet, without receiving it.
 */
#include "iRCCE_lib.h"

static int waits(int source)
{
    int along;

    return source != rcce_my_rank && !ircce_expected(source) &&
           rcce_signal_load(rcce_line_signal(rcce_sent_line[source]), &along,
                            rcce_my_rank) != 0;
}

int iRCCE_iprobe(int source, int *from, int *flag)
{
    int error = ircce_check();
    if (!error && source != iRCCE_ANY_SOURCE &&
        (!rcce_valid_ue(source) || source == rcce_my_rank))
        error = RCCE_ERROR_ID;
    if (!error && !flag)
        error = RCCE_ERROR_VAL_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_comm, error);

    ircce_push();
    *flag = 0;
    int begin = source < 0 ? 0 : source,
        end = source < 0 ? rcce_ues : source + 1;
    for (int ue = begin; ue < end && !*flag; ue++)
        if (waits(ue)) {
            *flag = 1;
            if (from)
                *from = ue;
        }
    return iRCCE_SUCCESS;
}

int iRCCE_probe(int source, int *from)
{
    int found = 0, error = iRCCE_SUCCESS;

    while (!found && !error)
        error = iRCCE_iprobe(source, from, &found);
    return error;
}
