/*
 * RCCE_fail.h: how the library's functions return an error (RCCE_debug.c).
 */
#ifndef RCCE_FAIL_H
#define RCCE_FAIL_H

#include <stddef.h>

extern int rcce_debug_synch;
extern int rcce_debug_comm;
extern int rcce_debug_rpc;
extern int rcce_debug_debug;

int rcce_fail_at(int debug, int code, const void *site, size_t size, int ue);
#define rcce_fail(on, code) \
    rcce_fail_at(on, code, __builtin_return_address(0), 0, -1)
/* Of a message of so many bytes to or from a UE; of a block of so many, where
 * there is room for `ue` bytes in one piece. */
#define rcce_fail_message(on, code, size, ue) \
    rcce_fail_at(on, code, __builtin_return_address(0), size, ue)
/* Hands on what a call within has returned, which has had its say. */
#define rcce_passed_on(error) ((error) ? rcce_fail(0, error) : RCCE_SUCCESS)

#endif
