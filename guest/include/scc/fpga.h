/* Registers of the system interface FPGA used by guest software
 * [intel-sysfpga-2011]; byte offsets from SCC_FPGA_BASE, 32 bits, uncached.
 */
#ifndef SCC_FPGA_H
#define SCC_FPGA_H

/* 125 MHz time stamp; read high, low, high again until both highs agree. */
#define SCC_FPGA_TIMESTAMP_LOW 0x8224u
#define SCC_FPGA_TIMESTAMP_HIGH 0x8228u

/* The chip's fast clock in MHz (bits 15:0); a tile divides it. */
#define SCC_FPGA_FAST_CLOCK 0x8230u

/* Number of 16 MB segments of private memory. */
#define SCC_FPGA_PRIVATE_SLOTS 0x8244u

#endif
