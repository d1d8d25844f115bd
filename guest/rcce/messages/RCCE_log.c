/*
 * RCCE_log.c: what a UE sent, printed on stderr by RCCE_finalize, without a
 * change of the program: RCCE_LOG in its environment (rck run --env) is one
 * of the five levels of the power study [marc-2011]:
 *
 *   none      nothing (also without RCCE_LOG)
 *   counters  cycles from RCCE_init to RCCE_finalize
 *   counts    messages and bytes sent
 *   targets   messages to each UE
 *   sizes     a line for each message as well, with its size, in the order
 *             in which they were sent; at the end also bytes to each UE
 *
 * Messages are those of RCCE_send, basic and gory, and of iRCCE; collectives
 * that are made of messages count as these. What the log costs, the program
 * pays: some ten instructions a message, and thousands with `sizes`, whose
 * lines are put in words and written out whenever a buffer is full. Bare
 * metal has no environment.
 */
#include "RCCE_lib.h"

#include <string.h>
#ifndef MS_BAREMETAL
#include <unistd.h>
#endif

struct rcce_log_entry *rcce_log_to;
int rcce_log_each;
#ifndef MS_BAREMETAL
#define LONGEST_LINE 64
static enum rcce_log level;
static struct rcce_log_entry few[RCCE_MAXNP];
static struct rcce_log_entry *log_to = few;
static char lines[4096];
static size_t lines_used;
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
    memset(few, 0, sizeof few);
    if (rcce_ues > RCCE_MAXNP && level != RCCE_LOG_NONE)
        log_to = calloc((size_t)rcce_ues, sizeof *log_to);
    if (!log_to)
        level = RCCE_LOG_NONE;
    rcce_log_to = level >= RCCE_LOG_COUNTS ? log_to : NULL;
    rcce_log_each = level == RCCE_LOG_SIZES;
    lines_used = 0;
#endif
}

#ifdef MS_BAREMETAL

void rcce_log_close(void)
{
}

void rcce_log_message(int dest, size_t bytes)
{
    (void)dest;
    (void)bytes;
}

#else

static void write_lines(void)
{
    for (size_t done = 0; done < lines_used;) {
        ssize_t n = write(2, lines + done, lines_used - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    lines_used = 0;
}

void rcce_log_message(int dest, size_t bytes)
{
    if (lines_used + LONGEST_LINE > sizeof lines)
        write_lines();
    lines_used += (size_t)snprintf(lines + lines_used, LONGEST_LINE,
                                   "RCCE log: message %d to %d: %lu bytes\n",
                                   rcce_my_rank, dest, (unsigned long)bytes);
}

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
    write_lines();
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
