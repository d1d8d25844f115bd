/*
 * RCCE_log.c: what a UE sent, told on stderr by RCCE_finalize, without a
 * change of the program: RCCE_LOG in its environment (rck run --env) is one
 * of the five levels of the power study [marc-2011]:
 *
 *   none      nothing (also without RCCE_LOG)
 *   counters  cycles from RCCE_init to RCCE_finalize
 *   counts    messages and bytes sent
 *   targets   messages to each UE
 *   sizes     messages and bytes to each UE: a row of the matrix
 *
 * Messages are those of RCCE_send, basic and gory, and of iRCCE; collectives
 * that are made of messages count as these. What the log costs, the program
 * pays: some ten instructions a message. Bare metal has no environment.
 */
#include "RCCE_lib.h"

#include <string.h>

struct rcce_log_entry *rcce_log_to;
#ifndef MS_BAREMETAL
static enum rcce_log level;
static struct rcce_log_entry log_to[RCCE_MAXNP];
#endif

void rcce_log_open(void)
{
#ifndef MS_BAREMETAL
    static const char *const names[] = {"none", "counters", "counts", "targets",
                                        "sizes"};
    const char *wanted = getenv("RCCE_LOG");

    for (int n = 0; wanted && n <= RCCE_LOG_SIZES; n++)
        if (strcmp(wanted, names[n]) == 0)
            level = (enum rcce_log)n;
    memset(log_to, 0, sizeof log_to);
    rcce_log_to = level >= RCCE_LOG_COUNTS ? log_to : NULL;
#endif
}

#ifdef MS_BAREMETAL

void rcce_log_close(void)
{
}

#else

static void tell_target(int ue)
{
    if (log_to[ue].messages == 0)
        return;
    if (level == RCCE_LOG_TARGETS)
        fprintf(stderr, "RCCE log: %d to %d: %u messages\n", rcce_my_rank, ue,
                log_to[ue].messages);
    else
        fprintf(stderr, "RCCE log: %d to %d: %u messages, %llu bytes\n",
                rcce_my_rank, ue, log_to[ue].messages, log_to[ue].bytes);
}

void rcce_log_close(void)
{
    unsigned count = 0;
    unsigned long long bytes = 0;

    if (level == RCCE_LOG_NONE)
        return;
    fprintf(stderr, "RCCE log: UE %d: %lld cycles\n", rcce_my_rank,
            RC_global_clock());
    for (int ue = 0; ue < rcce_ues; ue++) {
        count += log_to[ue].messages;
        bytes += log_to[ue].bytes;
    }
    if (level >= RCCE_LOG_COUNTS)
        fprintf(stderr, "RCCE log: UE %d: %u messages, %llu bytes sent\n",
                rcce_my_rank, count, bytes);
    for (int ue = 0; ue < rcce_ues && level >= RCCE_LOG_TARGETS; ue++)
        tell_target(ue);
}

#endif
