/* The core-physical address map that a core sees through its default LUT.
 *
 * Every 16 MB segment of a core's 32-bit physical address is one LUT entry;
 * these are the entries that the SCC's own boot tools set up [intel-eas].
 */
#ifndef SCC_MEMORY_MAP_H
#define SCC_MEMORY_MAP_H

#define SCC_SEGMENT_SIZE 0x01000000u

/* Off-chip shared memory: 16 MB behind each of the four controllers. */
#define SCC_SHARED_BASE 0x80000000u
#define SCC_SHARED_SIZE 0x04000000u

/* Message passing buffers, one segment per tile, and the own tile's. */
#define SCC_MPB_BASE 0xC0000000u
#define SCC_MPB_OWN 0xD8000000u
#define SCC_MPB_SIZE_PER_CORE 0x2000u

/* Tile configuration registers, one segment per tile, and the own's. */
#define SCC_CRB_BASE 0xE0000000u
#define SCC_CRB_OWN 0xF8000000u

/* The system interface: FPGA registers and the window to the host. */
#define SCC_FPGA_BASE 0xF9000000u
#define SCC_HOST_BASE 0xFA000000u

/* The local APIC answers inside the core, before the LUT is asked. */
#define SCC_APIC_BASE 0xFEE00000u

#endif
