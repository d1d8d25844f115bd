/*
 * RCCE_lib_pwr.h: what power programs of the chip's time call beside RCCE.h's
 * interface (RC_POWER_MANAGEMENT); see RCCE_lib.h.
 */
#ifndef RCCE_LIB_PWR_H
#define RCCE_LIB_PWR_H

#ifdef __cplusplus
extern "C" {
#endif

#define RC_GLOBAL_CLOCK_MHZ 1600
#define RC_MIN_FREQUENCY_DIVIDER 2
#define RC_MAX_FREQUENCY_DIVIDER 16

/* The divider that each tile's clock has now, a line each on stdout. */
void print_dividers(void);

#ifdef __cplusplus
}
#endif

#endif
