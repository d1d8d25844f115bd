/*
 * periodic.h: clock, message lines and links of the bare-metal programs.
 *
 * A core's MPB: a line for each core, by which clocks are compared; then what
 * the program places there.
 */
#ifndef PERIODIC_H
#define PERIODIC_H

#include "../../../experiments/bare/bare.h"

#define CORES 48u
#define LINE 32u
#define FREE_LINES (CORES * LINE) /* where a program's own lines begin */
#define MHZ 533u                  /* of the cores: periods are of cycles */

/* Reads "rounds ..." from the command line; maps memory, empties the MPB. */
extern uint32_t me, words[4];
void begin(const uint32_t *info);
/* Where `offset` of a core's MPB is. */
uint32_t buffer_of(uint32_t core, uint32_t offset);
/* A line is written whole; read after CL1INVMB. */
void put_line(uint32_t address, const uint32_t *line);
void get_line(uint32_t address, uint32_t *line);

/* Cycles that this core's time stamp is behind core 0's: the mean of the
 * way there and back counts; of `rounds` round trips the shortest one. All
 * cores ask at once. Returns the shortest trip. */
extern uint32_t offset_cycles;
uint32_t compare_clocks(uint32_t rounds);
/* Core 0 names an instant some time from now; all get it. */
uint32_t common_start(void);
static inline uint32_t global_time(void)
{
    return time_stamp() + offset_cycles;
}
/* Waits; false: it was over already. */
int wait_until(uint32_t instant);

#endif
