/*
 * rck_power.h: what a program uses, and at which operating point.
 *
 * Reading and setting reach the board's registers: about a microsecond each.
 * Calls that can fail return RCCE_SUCCESS or an error of RCCE, and then have
 * changed nothing. Core domains are numbered as RCCE_power_domain does, 0 to
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
#define RCK_POWER_SLOWEST 16
#define RCK_POWER_FASTEST 2

/* Maps the registers; after RCCE_init. MALLOC: they are out of reach. */
int rck_power_open(void);

/* Energy since power-on of a core domain (0..5), and of the chip, in
 * femtojoules, and the instant that it is from, in picoseconds. The meter
 * looks every 100 us at most: values less old are told again. */
int rck_power_domain_energy(int domain, uint64_t *femtojoules);
uint64_t rck_power_chip_energy(void);
uint64_t rck_power_time(void);
/* The chip's energy and the instant that it is from, of one look. */
void rck_power_chip_look(uint64_t *femtojoules, uint64_t *picoseconds);
/* Mean power of the chip over the meter's last interval, from the board's
 * current and voltage, in mW. */
unsigned rck_power_chip_milliwatts(void);

/* A region of interest of this core: energy and time between begin and end
 * are in the result file, under the region's number (up to 2^24 - 1). */
void rck_power_begin(unsigned region);
void rck_power_end(unsigned region);
/* A mark, in the result file with time and energy; below 2^24. */
void rck_power_mark(unsigned number);

/* The least voltage that bears a divider's clock, in mV; 0: none does. */
int rck_power_needs(int divider);
/* The voltage of a domain now, in mV, 0 if it is not there. */
int rck_power_millivolts(int domain);

/* Clock and voltage of a domain, in the safe order: slower first, then the
 * lower voltage; higher voltage first, and faster when it is there. Blocks
 * until then. Errors: FDIVIDER (not 2 to 16), ID (no such domain). */
int rck_power_set(int domain, int divider);
/* The voltage alone. VAL_UNDEFINED: not one of 600 to 1300 mV, or too low
 * for a tile's clock. Does not wait for it. */
int rck_power_set_millivolts(int domain, int millivolts);
/* The clock of one tile. FREQUENCY_EXCEEDED: its voltage does not bear it. */
int rck_power_set_tile(int tile, int divider);
int rck_power_divider(int tile);

#ifdef __cplusplus
}
#endif

#endif
