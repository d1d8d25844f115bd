/* The memory in a core's physical address map, as the default LUT maps it
 * [intel-eas]; registers are in registers.h. Each 16 MB segment of the 32-bit
 * address is one LUT entry. */
#ifndef SCC_MEMORY_MAP_H
#define SCC_MEMORY_MAP_H

/* Off-chip shared memory: 16 MB behind each of the four controllers. */
#define SCC_SHARED_BASE 0x80000000u
#define SCC_SHARED_SIZE 0x04000000u

/* Message-passing buffers: one segment per tile, and the own tile's. */
#define SCC_MPB_BASE 0xC0000000u
#define SCC_MPB_OWN 0xD8000000u
#define SCC_MPB_SIZE_PER_CORE 0x2000u

/* The local APIC answers inside the core, before the LUT is asked. */
#define SCC_APIC_BASE 0xFEE00000u

#endif
