/* Sleeping until another core rings. Hosted half.
 *
 * To ring, a core asks the FPGA's interrupt controller for an interrupt of the
 * other core; the sender has a bit in that core's status. A core that sleeps
 * halts. A ring at a core that is awake is kept until its next sleep. A core
 * must therefore publish the word that says "asleep", then look for work, and
 * only then sleep.
 */
#ifndef SCC_BELL_H
#define SCC_BELL_H

#include <stdint.h>

#include "scc/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lets the job's cores ring here; 0: the kernel lets no interrupts in. */
int scc_bell_open(void);
void scc_bell_ring(int core);
/* Sleeps until a ring, a time (scc_now_ns; SCC_NEVER: none), or until one of
 * these files is ready. Returns 0, or -EINTR if a signal came. */
struct pollfd;
/* The number of signals that libraries used for themselves, counted by their
 * handlers. Such a signal ends a sleep early, but not with -EINTR. */
extern volatile uint32_t scc_own_signals;
int scc_bell_sleep(uint64_t until_ns, struct pollfd *files, int count);

#ifdef __cplusplus
}
#endif

#endif
