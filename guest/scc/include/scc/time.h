/* What time it is. Hosted half: the clock is the launcher's. */
#ifndef SCC_TIME_H
#define SCC_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCC_NEVER UINT64_MAX

/* Nanoseconds since this core's time stamp counter began, which is another
 * moment on each tile: differences mean something. */
uint64_t scc_now_ns(void);

#ifdef __cplusplus
}
#endif

#endif
