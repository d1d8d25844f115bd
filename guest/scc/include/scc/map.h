/* The chip's memory and registers, mapped into the program. Hosted half.
 *
 * The kernel offers the core-physical address space as three devices that
 * differ in the memory type of what they map [scc-linux-2011]; the LUT behind
 * an address leads to MPB, registers or DRAM.
 */
#ifndef SCC_MAP_H
#define SCC_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "scc/lock.h"
#include "scc/place.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The memory type: uncached; cached in L1 with the write-combine buffer; cached
 * in L1 and L2. */
enum scc_memory { SCC_UNCACHED, SCC_MPBT, SCC_CACHED };

/* The place in the program's addresses: any; preferably `at`; `at` (an old
 * mapping there is replaced); `at` if it is free. */
enum scc_at { SCC_ANYWHERE, SCC_RATHER, SCC_THERE, SCC_IF_FREE };

/* Maps bytes at core-physical address `physical`; NULL if the kernel
 * refuses. */
void *scc_map(enum scc_memory memory, uint32_t physical, size_t bytes);
void *scc_map_at(enum scc_memory memory, uint32_t physical, size_t bytes,
                 void *at, enum scc_at how, int protection);
/* Maps the message buffers of all cores up to `last_core`, one after the other:
 * on larger chips all of them do not fit into 32-bit addresses. */
void *scc_map_all_buffers(int last_core);
/* Closes the devices; the next call opens them again. */
void scc_map_close(void);

/* Registers, uncached, each page mapped once; NULL if the kernel refuses. */
volatile uint32_t *scc_registers(int core); /* of the core's tile */
scc_lock *scc_lock_of(int core);
volatile uint32_t *scc_lut(int core); /* two words an entry */
volatile uint32_t *scc_fpga(uint32_t offset);
/* The number of the core that runs this code, read from its registers; -1 if
 * they cannot be mapped. */
int scc_own_core(void);
/* Line 0 of this core's message buffer, which holds nothing: for scc_push. */
volatile void *scc_drain(void);

/* Writes L2 and L1 back and empties both; 0 if the kernel refuses. */
int scc_flush_l2(void);

/* Opens one of the kernel's files: mails with an interrupt, mails without one,
 * the interrupt pin. -1 if there is none. The mailboxes claim their lines. */
int scc_open_mail(int flags);
int scc_open_quiet_mail(int flags);
int scc_open_pin(int flags);
/* True if this program has mailboxes: the kernel then serves the FPGA's
 * interrupt controller. */
int scc_has_mail(void);
/* Nonzero from the first opening of mails on; for scc_has_mail alone. */
extern int scc_mail_is_open;

#ifdef __cplusplus
}
#endif

#endif
