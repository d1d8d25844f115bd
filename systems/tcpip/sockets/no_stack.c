/*
 * no_stack.c: in the place of the TCP/IP stack, where liblwip.a is not linked
 * before this library.
 */
#include "sockets.h"

const struct transport *const tcpip_stack = NULL;
