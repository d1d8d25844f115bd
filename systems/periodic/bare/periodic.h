/*
 * periodic.h: clock, message lines and links of the bare-metal programs.
 *
 * A core's MPB begins with a line for each core, through which clocks are
 * compared; the program's own lines follow.
 */
#ifndef PERIODIC_H
#define PERIODIC_H

#include "../../../experiments/bare/bare.h"

#define CORES 48u
#define LINE 32u
#define FREE_LINES (CORES * LINE) /* offset of a program's own lines */
#define MHZ 533u                  /* core clock; periods are in cycles */

/* Starts a program: sets `me` to this core's number, reads the first four
 * decimal numbers of the kernel's command line into `words` (0 for those that
 * are missing; names do not matter), maps memory and clears this core's MPB. */
extern uint32_t me, words[4];
void begin(const uint32_t *info);
/* The address at which this core sees the byte at `offset` of the MPB of core
 * `core`. */
uint32_t buffer_of(uint32_t core, uint32_t offset);
/* put_line writes a whole line (LINE bytes) of an MPB; get_line executes
 * CL1INVMB and reads a line. */
void put_line(uint32_t address, const uint32_t *line);
void get_line(uint32_t address, uint32_t *line);

/* Computes `offset_cycles`: by how many core cycles core 0's time stamp is
 * ahead of this core's, modulo 2^32, from half of the shortest of `rounds`
 * round trips. All 48 cores must call it; core 0 returns when all others are
 * done. Returns the shortest trip in cycles, 0 on core 0. */
extern uint32_t offset_cycles;
uint32_t compare_clocks(uint32_t rounds);
/* Returns an instant at which all cores can start together, in cycles of core
 * 0's time stamp: 200 us after core 0's call. Core 0 sends it to the other
 * cores; all cores must call the function, once. */
uint32_t common_start(void);
/* Core 0's time stamp now, in cycles modulo 2^32, after compare_clocks. */
static inline uint32_t global_time(void)
{
    return time_stamp() + offset_cycles;
}
/* Waits until core 0's time stamp reaches `instant`, at most 2^31 cycles away,
 * and returns 1; returns 0 at once if it has passed already. */
int wait_until(uint32_t instant);

#endif
