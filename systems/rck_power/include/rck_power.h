/*
 * rck_power.h: a program's energy, and its operating point.
 *
 * Reading and setting access the board's registers: about a microsecond each.
 * Calls that can fail return RCCE_SUCCESS or an error of RCCE; after an error,
 * nothing has changed. Core domains are numbered as in RCCE_power_domain, 0 to
 * 5; each is 2 x 2 tiles.
 */
#ifndef RCK_POWER_H
#define RCK_POWER_H

#include <stdint.h>

#include "RCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RCK_POWER_DOMAINS 6
#define RCK_POWER_TILES 24
/* Dividers: the core clock is 1600 MHz divided by 2 to 16. */
#define RCK_POWER_SLOWEST 16
#define RCK_POWER_FASTEST 2

/* Maps the registers; call after RCCE_init and before all other functions.
 * MALLOC: the registers cannot be mapped. */
int rck_power_open(void);

/* The energy since power-on of a core domain (0..5; ID: there is none), and of
 * the chip, in femtojoules; and the simulated time of the meter's sample, in
 * picoseconds. The meter samples at most every 100 us: within that time, reads
 * return the last sample. */
int rck_power_domain_energy(int domain, uint64_t *femtojoules);
uint64_t rck_power_chip_energy(void);
uint64_t rck_power_time(void);
/* The chip's energy (femtojoules) and the time (picoseconds), both of one
 * sample of the meter. */
void rck_power_chip_look(uint64_t *femtojoules, uint64_t *picoseconds);
/* The mean power of the chip over the meter's last interval, in mW, from the
 * board's current and voltage. */
unsigned rck_power_chip_milliwatts(void);

/* Begin and end a region of interest on this core. The result file contains
 * the energy and time between both, under the region's number (up to 2^24 -
 * 1). */
void rck_power_begin(unsigned region);
void rck_power_end(unsigned region);
/* Sets a mark, with a number below 2^24. The result file contains the mark's
 * time and energy. */
void rck_power_mark(unsigned number);

/* The lowest voltage in mV that is high enough for the clock of this divider; 0
 * if none is. */
int rck_power_needs(int divider);
/* The present voltage of a domain, in mV; 0 if there is no such domain. */
int rck_power_millivolts(int domain);

/* Sets clock and voltage of a domain, in the safe order: slower clock before
 * lower voltage, higher voltage before faster clock. For a faster clock, blocks
 * until the voltage is there and the clock set; otherwise the clock is set, and
 * the voltage falls later. Errors: FDIVIDER (not 2 to 16), ID (no such domain).
 */
int rck_power_set(int domain, int divider);
/* Sets only the voltage, and does not wait for it. VAL_UNDEFINED: not from 600
 * to 1300 mV, or too low for a tile's clock. ID: no such domain. */
int rck_power_set_millivolts(int domain, int millivolts);
/* Sets the clock of one tile (0 to 23; otherwise ID), divider 2 to 16
 * (FDIVIDER). FREQUENCY_EXCEEDED: the tile's voltage is too low for it. */
int rck_power_set_tile(int tile, int divider);
int rck_power_divider(int tile); /* the tile's present divider */

#ifdef __cplusplus
}
#endif

#endif
