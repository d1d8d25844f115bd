/*
 * io.h: what the server of the chip is asked for: the labels of its messages.
 * The reply's first word is L4_OK or why not.
 */
#ifndef L4_IO_H
#define L4_IO_H

/* Physical address, memory type | write (2) -> one page of message buffers or
 * of shared memory, as an item. */
#define IO_MAP 1
/* Physical address of a register of a tile, of the FPGA or of this core's
 * channel to the host -> its value, as second word. */
#define IO_READ 2
/* Physical address of a register, value. Only locks, this core's part of the
 * interrupt controller, the counters and its channel to the host: otherwise
 * L4_NO_RIGHT. */
#define IO_WRITE 3
/* -> the capability (L4_KIND_IRQ) of interrupts by other cores, as an item. */
#define IO_PIN 4
/* Number of a core -> the capability of its pins (L4_PINS_...), as an item. */
#define IO_PINS 5

#endif
