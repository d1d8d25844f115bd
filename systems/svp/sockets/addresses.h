/*
 * addresses.h: where the sockets of a core are reached; over_*.c say it for
 * the network that they are of.
 */
#ifndef SVP_SOCKETS_ADDRESSES_H
#define SVP_SOCKETS_ADDRESSES_H

#include <stdint.h>

/* The IPv4 address of a rank, as a number of this core. */
uint32_t svp_address(int rank);

#endif
