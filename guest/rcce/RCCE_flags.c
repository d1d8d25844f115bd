/*
 * RCCE_flags.c: line flags, the words that cores wait on.
 *
 * A flag is the first word of an MPB line of its own. It is always written
 * as a whole line, so the write-combine buffer carries it in one
 * transaction, and nothing else shares its fate. A flag belongs to one
 * writer at a time; whoever waits for it resets it before it answers.
 */
#include "RCCE_lib.h"

/* A flag must be the first word of a line that RCCE_malloc handed out. */
int rcce_check_flag(RCCE_FLAG flag)
{
    if (!flag)
        return RCCE_ERROR_FLAG_NOT_ALLOCATED;
    if (!rcce_in_buffer((t_vcharp)flag, RCCE_LINE_SIZE) || !rcce_aligned(flag))
        return RCCE_ERROR_FLAG_NOT_IN_COMM_BUFFER;
    return RCCE_SUCCESS;
}

/* Writes the flag on `ue`, without checks. */
void rcce_flag_store(RCCE_FLAG flag, int value, int ue)
{
    volatile int *line = (volatile int *)rcce_on((t_vcharp)flag, ue);

    /* An own flag was just polled and is in L1: the store must not stay
     * there. */
    rcce_invalidate_mpb();
    line[0] = value;
    for (int word = 1; word < RCCE_LINE_WORDS; word++)
        line[word] = 0;
    rcce_push_wcb();
}

/* Reads the flag on `ue` as it is now, without checks. */
int rcce_flag_load(RCCE_FLAG flag, int ue)
{
    /* Without this the core would see its own old copy for ever. */
    rcce_invalidate_mpb();
    return *(volatile int *)rcce_on((t_vcharp)flag, ue);
}

/* Polls the flag on `ue` until it has the value. */
void rcce_flag_wait(RCCE_FLAG flag, int value, int ue)
{
    while (rcce_flag_load(flag, ue) != value)
        ;
}

int RCCE_flag_alloc(RCCE_FLAG *flag)
{
    if (!flag)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_UNDEFINED);
    *flag = (RCCE_FLAG)RCCE_malloc(RCCE_LINE_SIZE);
    if (!*flag)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_NOT_ALLOCATED);
    return RCCE_SUCCESS;
}

int RCCE_flag_free(RCCE_FLAG *flag)
{
    if (!flag)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_UNDEFINED);
    int error = rcce_check_flag(*flag);
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    RCCE_free((t_vcharp)*flag);
    *flag = NULL;
    return RCCE_SUCCESS;
}

int RCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue)
{
    if (!flag)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_UNDEFINED);
    int error = rcce_check_flag(*flag);
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    if (status != RCCE_FLAG_SET && status != RCCE_FLAG_UNSET)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_STATUS_UNDEFINED);
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    rcce_flag_store(*flag, status, ue);
    return RCCE_SUCCESS;
}

int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue)
{
    int error = rcce_check_flag(flag);
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    if (!status)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    *status = rcce_flag_load(flag, ue);
    return RCCE_SUCCESS;
}
