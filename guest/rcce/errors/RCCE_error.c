/*
 * RCCE_error.c: the error codes in words.
 */
#include "RCCE_lib.h"

#include <string.h>

/* Indexed by code - RCCE_ERROR_BASE; each shorter than
 * RCCE_MAX_ERROR_STRING. */
static const char *const text_of[] = {
    "No such error",
    "Target buffer is missing or misplaced",
    "Source buffer is missing or misplaced",
    "No such UE, or not for the caller",
    "Message length is wrong, or sizes differ",
    "Flag is not defined",
    "Number of UEs is out of range",
    "Source and target overlap",
    "Address is not at the start of a line",
    "No such debug flag",
    "Flag is not a line of the message buffer",
    "Flag status is neither set nor unset",
    "Flag is not allocated, or MPB is full",
    "Place for the result is missing",
    "No such error code",
    "Power request is not allocated",
    "Power controller failed",
    "More than one power request at a time",
    "Frequency divider is out of range",
    "Frequency is too high for the voltage",
    "No power request is under way",
    "Power request is out of date",
    "Communicator or RCCE is not initialized",
    "No such reduction operator",
    "No such reduction type",
    "Out of memory or device not available",
    "Communicator is already initialized",
    "Core is not in the launcher's list",
};
_Static_assert(sizeof text_of / sizeof text_of[0] ==
                   RCCE_ERROR_CORE_NOT_IN_HOSTFILE - RCCE_ERROR_BASE + 1,
               "one text for each error code");

/* `text` holds RCCE_MAX_ERROR_STRING bytes; `length` gets the text's own. */
int RCCE_error_string(int code, char *text, int *length)
{
    int known =
        code > RCCE_ERROR_BASE && code <= RCCE_ERROR_CORE_NOT_IN_HOSTFILE;
    const char *words = "Success";

    if (!text || !length)
        return rcce_fail(rcce_debug_debug, RCCE_ERROR_VAL_UNDEFINED);
    if (code != RCCE_SUCCESS)
        words = text_of[known ? code - RCCE_ERROR_BASE : 0];
    strcpy(text, words);
    *length = (int)strlen(words);
    if (code != RCCE_SUCCESS && !known)
        return rcce_fail(rcce_debug_debug, RCCE_ERROR_INVALID_ERROR_CODE);
    return RCCE_SUCCESS;
}
