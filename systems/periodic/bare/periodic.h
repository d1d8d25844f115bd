/*
 * periodic.h: clock, message lines and links of the bare-metal programs.
 *
 * A core's MPB begins with a line for each core, by which clocks are compared;
 * the program's own lines follow.
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
/* The address of `offset` in a core's MPB. */
uint32_t buffer_of(uint32_t core, uint32_t offset);
/* Write a whole line; read one after CL1INVMB. */
void put_line(uint32_t address, const uint32_t *line);
void get_line(uint32_t address, uint32_t *line);

/* Cycles by which this core's time stamp is behind core 0's: half of the
 * shortest of `rounds` round trips. All cores must call it at once. Returns the
 * shortest trip. */
extern uint32_t offset_cycles;
uint32_t compare_clocks(uint32_t rounds);
/* A common instant some time from now, chosen by core 0. */
uint32_t common_start(void);
static inline uint32_t global_time(void)
{
    return time_stamp() + offset_cycles;
}
/* Waits until an instant; returns 0 at once if the instant has passed. */
int wait_until(uint32_t instant);

#endif
