/*
 * io.h: the labels of requests to io, the server of the chip's devices. After
 * each arrow: the reply beside its first word, which is L4_OK or an error.
 */
#ifndef L4_IO_H
#define L4_IO_H

/* Words: physical address, memory type | write (2) -> one page of message
 * buffers or of shared memory, as an item. */
#define IO_MAP 1
/* Word: physical address of a register of a tile, of the FPGA or of this core's
 * channel to the host -> the register's value, as second word. */
#define IO_READ 2
/* Words: physical address of a register, value. Writes locks, this core's part
 * of the interrupt controller, the counters and this core's channel to the
 * host; for any other register the error is L4_NO_RIGHT. */
#define IO_WRITE 3
/* -> the capability (L4_KIND_IRQ) of interrupts by other cores, as an item. */
#define IO_PIN 4
/* Word: number of a core -> the capability of that core's pins (L4_PINS_...),
 * as an item. */
#define IO_PINS 5

#endif
