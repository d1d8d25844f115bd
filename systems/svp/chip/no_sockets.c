/*
 * no_sockets.c: in the place of sockets/, where a program has no sockets.
 */
#include "svp_private.h"

const struct wire *const svp_sockets = NULL;
