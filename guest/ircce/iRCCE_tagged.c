/*
 * iRCCE_tagged.c: flags that carry a few bytes. The tag lies behind the
 * flag's word in the same line, so both arrive at once.
 */
#include "iRCCE_lib.h"

#include <string.h>

static int check(RCCE_FLAG flag, const void *tag, int bytes, int ue)
{
    int error = rcce_check_signal(rcce_signal_of(flag));
    if (error)
        return error;
    if (bytes < 0 || bytes > (int)iRCCE_MAX_TAGGED_LEN)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (bytes > 0 && !tag)
        return RCCE_ERROR_SOURCE;
    return rcce_valid_ue(ue) ? RCCE_SUCCESS : RCCE_ERROR_ID;
}

/* The line as it is now on `ue`. */
static void read_line(RCCE_FLAG flag, int ue, int *status, void *tag, int bytes)
{
    uint32_t line[RCCE_LINE_WORDS];

    rcce_invalidate_mpb();
    scc_copy_lines(line, rcce_on((t_vcharp)flag, ue), RCCE_LINE_SIZE);
    *status = (int)line[0];
    memcpy(tag, line + 1, (size_t)bytes);
}

int iRCCE_flag_alloc_tagged(RCCE_FLAG *flag)
{
    return RCCE_flag_alloc(flag);
}

int iRCCE_flag_free_tagged(RCCE_FLAG *flag)
{
    return RCCE_flag_free(flag);
}

int iRCCE_flag_write_tagged(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue,
                            void *tag, int bytes)
{
    uint32_t line[RCCE_LINE_WORDS] = {(uint32_t)status};
    volatile uint32_t *to;
    int error = flag ? check(*flag, tag, bytes, ue) : RCCE_ERROR_FLAG_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    memcpy(line + 1, tag, (size_t)bytes);
    to = (volatile uint32_t *)rcce_on((t_vcharp)*flag, ue);
    rcce_invalidate_mpb();
    /* The status last, as in rcce_signal_store. */
    for (int word = 1; word < RCCE_LINE_WORDS; word++)
        to[word] = line[word];
    to[0] = line[0];
    rcce_push_wcb();
    return iRCCE_SUCCESS;
}

int iRCCE_flag_read_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue,
                           void *tag, int bytes)
{
    int error = check(flag, tag, bytes, ue);
    if (!error && !status)
        error = RCCE_ERROR_VAL_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    read_line(flag, ue, status, tag, bytes);
    return iRCCE_SUCCESS;
}

int iRCCE_test_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS status, int *result,
                      void *tag, int bytes)
{
    unsigned char found[RCCE_LINE_SIZE];
    int value;
    int error = check(flag, tag, bytes, rcce_my_rank);
    if (!error && !result)
        error = RCCE_ERROR_VAL_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    read_line(flag, rcce_my_rank, &value, found, bytes);
    *result = value == status;
    if (*result)
        memcpy(tag, found, (size_t)bytes);
    return iRCCE_SUCCESS;
}

int iRCCE_wait_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS status, void *tag,
                      int bytes)
{
    int there = 0, error = iRCCE_SUCCESS;

    while (!there && !error) {
        error = iRCCE_test_tagged(flag, status, &there, tag, bytes);
        if (!there)
            ircce_push();
    }
    return error;
}

int iRCCE_get_max_tagged_len(void)
{
    return (int)iRCCE_MAX_TAGGED_LEN;
}
