/* Sleeping until somebody rings. Hosted half.
 *
 * Who rings asks the FPGA's interrupt controller for an interrupt of the other
 * core, in whose status the sender has a bit. A core that sleeps halts. A ring
 * at a core that is awake is kept until its next sleep: so look for work after
 * the word that says "asleep" is out, and sleep only then.
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
/* Until a ring, a time (scc_now_ns; SCC_NEVER: none), or one of these files is
 * ready. 0, or -EINTR: a signal came. */
struct pollfd;
/* Signals that libraries took for themselves, counted by their handlers: such
 * a one is no -EINTR, but an early end of the sleep. */
extern volatile uint32_t scc_own_signals;
int scc_bell_sleep(uint64_t until_ns, struct pollfd *files, int count);

#ifdef __cplusplus
}
#endif

#endif
