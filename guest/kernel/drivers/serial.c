/* The two serial ports, which the board emulates as 16550s [ns-16550d].
 *
 * There is no wire behind them: the transmitter is always empty, so nothing
 * is polled before a byte is sent. That matters for COM1, where a read of
 * the line status means "is there input?" and may have to ask the host.
 */
#include "defs.h"
#include "x86.h"

#define FIFO_ENABLE_CLEAR 0x07
#define LINE_8N1 0x03
#define MODEM_DTR_RTS 0x03

void serial_init(u16 port)
{
    out_byte(port + SCC_SERIAL_IER, 0);
    out_byte(port + SCC_SERIAL_LCR, LINE_8N1);
    out_byte(port + SCC_SERIAL_IIR, FIFO_ENABLE_CLEAR);
    out_byte(port + SCC_SERIAL_MCR, MODEM_DTR_RTS);
}

void serial_write(u16 port, const char *text, u32 length)
{
    while (length-- > 0)
        out_byte(port, (u8)*text++);
}

/* The next byte, or -1 at the end of the input. */
s32 serial_read(u16 port)
{
    for (;;) {
        if (in_byte(port + SCC_SERIAL_LSR) & SCC_SERIAL_LSR_DATA_READY)
            return in_byte(port + SCC_SERIAL_DATA);
        /* No carrier: the other side has hung up. */
        if (!(in_byte(port + SCC_SERIAL_MSR) & SCC_SERIAL_MSR_DCD))
            return -1;
    }
}
