/* rck_power_private.h: the declarations that the files of the library share. */
#ifndef RCK_POWER_PRIVATE_H
#define RCK_POWER_PRIVATE_H

#include "rck_power.h"

/* The number of tiles in a row, and the regulator's number for all domains
 * together. */
#define RCK_POWER_COLUMNS 6
#define RCK_POWER_CHIP 9

/* The registers of the board's FPGA, of the regulator, of this core's channel
 * to the host, and of a tile's clock. Null before rck_power_open. */
extern volatile uint32_t *rck_power_fpga, *rck_power_regulator;
extern volatile uint32_t *rck_power_host;
volatile uint32_t *rck_power_clock(int tile);
/* The regulator's number for a core domain (0 to 5). */
int rck_power_hardware_domain(int domain);
/* The n-th tile (0..3) of a domain, and the domain of a tile. */
int rck_power_tile_of(int domain, int n);
int rck_power_domain_of_tile(int tile);
/* Sends a command to the regulator; waits while the regulator performs another
 * one, but not until the new voltage is there. Checks nothing. */
void rck_power_command(int domain, int millivolts);

#endif
