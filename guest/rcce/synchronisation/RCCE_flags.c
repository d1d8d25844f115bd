/*
 * RCCE_flags.c: the flags that programs allocate. Compiled twice: RCCE_FLAG
 * is a line or, under SINGLEBITFLAGS, a bit (bit/RCCE_flags.c).
 */
#include "RCCE_lib.h"

#ifdef SINGLEBITFLAGS

struct rcce_signal rcce_signal_of(RCCE_FLAG flag)
{
    return (struct rcce_signal){(volatile int *)flag.line_address,
                                flag.location & 255};
}

static int allocate(RCCE_FLAG *flag)
{
    if (!rcce_bit_alloc(&flag->line_address, &flag->location))
        return 0;
    flag->flag_addr = flag->line_address + flag->location / 8;
    return 1;
}

static int release(RCCE_FLAG *flag)
{
    int known = rcce_bit_free(flag->line_address, flag->location);
    *flag = (RCCE_FLAG){0, NULL, NULL};
    return known;
}

#else

struct rcce_signal rcce_signal_of(RCCE_FLAG flag)
{
    return rcce_line_signal((t_vcharp)flag);
}

static int allocate(RCCE_FLAG *flag)
{
    *flag = (RCCE_FLAG)RCCE_malloc(RCCE_LINE_SIZE);
    return *flag != NULL;
}

static int release(RCCE_FLAG *flag)
{
    int known = rcce_malloc_owns((t_vcharp)*flag);
    if (known)
        RCCE_free((t_vcharp)*flag);
    *flag = NULL;
    return known;
}

#endif

int RCCE_flag_alloc(RCCE_FLAG *flag)
{
    if (!flag)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_UNDEFINED);
    if (!allocate(flag))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_NOT_ALLOCATED);
    return RCCE_SUCCESS;
}

int RCCE_flag_free(RCCE_FLAG *flag)
{
    if (!flag)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_UNDEFINED);
    int error = rcce_check_signal(rcce_signal_of(*flag));
    if (!error && !release(flag))
        error = RCCE_ERROR_FLAG_NOT_ALLOCATED;
    return error ? rcce_fail(rcce_debug_synch, error) : RCCE_SUCCESS;
}

int RCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue)
{
    if (!flag)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_UNDEFINED);
    int error = rcce_check_signal(rcce_signal_of(*flag));
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    if (status != RCCE_FLAG_SET && status != RCCE_FLAG_UNSET)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_FLAG_STATUS_UNDEFINED);
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    rcce_signal_store(rcce_signal_of(*flag), status, 0, ue);
    return RCCE_SUCCESS;
}

int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue)
{
    int along;
    int error = rcce_check_signal(rcce_signal_of(flag));
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    if (!status)
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_VAL_UNDEFINED);
    if (!rcce_valid_ue(ue))
        return rcce_fail(rcce_debug_synch, RCCE_ERROR_ID);
    *status = rcce_signal_load(rcce_signal_of(flag), &along, ue);
    return RCCE_SUCCESS;
}

static int check_status(RCCE_FLAG flag, RCCE_FLAG_STATUS status)
{
    int error = rcce_check_signal(rcce_signal_of(flag));

    if (!error && status != RCCE_FLAG_SET && status != RCCE_FLAG_UNSET)
        error = RCCE_ERROR_FLAG_STATUS_UNDEFINED;
    return error;
}

int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS status)
{
    int error = check_status(flag, status);
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    rcce_signal_wait(rcce_signal_of(flag), status, rcce_my_rank);
    return RCCE_SUCCESS;
}

int RCCE_test_flag(RCCE_FLAG flag, RCCE_FLAG_STATUS status, int *result)
{
    int along;
    int error = check_status(flag, status);
    if (!error && !result)
        error = RCCE_ERROR_VAL_UNDEFINED;
    if (error)
        return rcce_fail(rcce_debug_synch, error);
    *result =
        rcce_signal_load(rcce_signal_of(flag), &along, rcce_my_rank) == status;
    return RCCE_SUCCESS;
}
