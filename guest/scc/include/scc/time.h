/* The time. Hosted half: the launcher gives the clock. */
#ifndef SCC_TIME_H
#define SCC_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCC_NEVER UINT64_MAX

/* Nanoseconds since this core's time stamp counter began. The counters of tiles
 * began at different times, so only differences on one core have a meaning. */
uint64_t scc_now_ns(void);

#ifdef __cplusplus
}
#endif

#endif
