/*
 * over_linux.c: addresses of cores where the sockets are Linux's: of its
 * network between cores (rckmb), by the core's number.
 */
#include "sockets/addresses.h"
#include "svp_private.h"

#define NETWORK 0xc0a80000u /* 192.168.0.0 */

uint32_t svp_address(int rank)
{
    return NETWORK + 1 + (uint32_t)svp_core[rank];
}
