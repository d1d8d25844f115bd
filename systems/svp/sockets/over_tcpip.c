/*
 * over_tcpip.c: addresses of cores where the sockets are those of
 * systems/tcpip: by rank.
 */
#include "sockets/addresses.h"
#include "svp_private.h"

#define NETWORK 0xc0a80401u /* of rank 0: 192.168.4.1 */

uint32_t svp_address(int rank)
{
    return NETWORK + (uint32_t)rank;
}
