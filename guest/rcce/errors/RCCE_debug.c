/*
 * RCCE_debug.c: which errors are also printed on stderr.
 *
 * Every call returns its error code; a program that ignores it can ask for
 * a line of text, for synchronisation, communication or everything.
 */
#include "RCCE_lib.h"

/* Bare metal has one stream. */
#ifdef MS_BAREMETAL
#define fprintf(stream, ...) printf(__VA_ARGS__)
#endif

int rcce_debug_synch;
int rcce_debug_comm;
int rcce_debug_debug;
int rcce_debug_rpc;

/* Returns `code`, after a word about it when `debug` is on. The rest is for who
 * watches this function from outside: where the failed call returns to, and
 * the size and the partner of a message. */
int rcce_fail_at(int debug, int code, const void *site, size_t size, int ue)
{
    char text[RCCE_MAX_ERROR_STRING];
    int length;

    (void)site, (void)size, (void)ue;
    if (debug && code != RCCE_ERROR_INVALID_ERROR_CODE) {
        RCCE_error_string(code, text, &length);
        fprintf(stderr, "RCCE: UE %d: error %d: %s\n", rcce_my_rank, code,
                text);
    }
    return code;
}

static int change(int flag, int value)
{
    int all = flag == RCCE_DEBUG_ALL;

    if (all || flag == RCCE_DEBUG_SYNCH)
        rcce_debug_synch = value;
    if (all || flag == RCCE_DEBUG_COMM)
        rcce_debug_comm = value;
    if (all || flag == RCCE_DEBUG_RPC)
        rcce_debug_rpc = value;
    if (all || flag == RCCE_DEBUG_DEBUG)
        rcce_debug_debug = value;
    if (all || flag == RCCE_DEBUG_SYNCH || flag == RCCE_DEBUG_COMM ||
        flag == RCCE_DEBUG_RPC || flag == RCCE_DEBUG_DEBUG)
        return RCCE_SUCCESS;
    return rcce_fail(rcce_debug_debug, RCCE_ERROR_DEBUG_FLAG);
}

int RCCE_debug_set(int flag)
{
    return change(flag, 1);
}

int RCCE_debug_unset(int flag)
{
    return change(flag, 0);
}
