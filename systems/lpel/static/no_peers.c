/*
 * no_peers.c: in the place of sockets/, where a program has no sockets.
 */
#include "lpel_peers.h"

#include <stddef.h>

const struct lpel_peers *const lpel_peers = NULL;
