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

/* Starts a program: reads the numbers of the kernel's command line into
 * `words`, maps memory and clears this core's MPB. */
extern uint32_t me, words[4];
void begin(const uint32_t *info);
/* The address at which this core sees the byte at `offset` of the MPB of core
 * `core`. */
uint32_t buffer_of(uint32_t core, uint32_t offset);
/* put_line writes a whole line of an MPB; get_line executes CL1INVMB and reads
 * a line. */
void put_line(uint32_t address, const uint32_t *line);
void get_line(uint32_t address, uint32_t *line);

/* Computes `offset_cycles`: by how many core cycles core 0's time stamp is
 * ahead of this core's, from half of the shortest of `rounds` round trips. All
 * cores must call it at once. Returns the shortest trip in cycles. */
extern uint32_t offset_cycles;
uint32_t compare_clocks(uint32_t rounds);
/* Returns an instant in the near future at which all cores can start together,
 * in cycles of core 0's time stamp. Core 0 chooses it and sends it to the other
 * cores; all cores must call the function. */
uint32_t common_start(void);
static inline uint32_t global_time(void)
{
    return time_stamp() + offset_cycles;
}
/* Waits until core 0's time stamp reaches `instant`; returns 0 at once if it
 * has passed already. */
int wait_until(uint32_t instant);

#endif
