/* The two serial ports, which the board emulates as 16550s [ns-16550d].
 *
 * There is no wire behind them: the transmitter is always empty, so nothing
 * is polled before a byte is sent. That matters for COM1, where a read of
 * the line status means "is there input?" and may have to ask the host.
 */
#include "defs.h"
#include "x86.h"

enum {
    DATA = 0,
    INTERRUPT_ENABLE = 1,
    FIFO_CONTROL = 2,
    LINE_CONTROL = 3,
    MODEM_CONTROL = 4,
    LINE_STATUS = 5,
    MODEM_STATUS = 6,
};

#define FIFO_ENABLE_CLEAR 0x07
#define LINE_8N1 0x03
#define MODEM_DTR_RTS 0x03
#define STATUS_DATA_READY 0x01
#define STATUS_CARRIER 0x80 /* clear: the other side has hung up */

void serial_init(u16 port)
{
    out_byte(port + INTERRUPT_ENABLE, 0);
    out_byte(port + LINE_CONTROL, LINE_8N1);
    out_byte(port + FIFO_CONTROL, FIFO_ENABLE_CLEAR);
    out_byte(port + MODEM_CONTROL, MODEM_DTR_RTS);
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
        if (in_byte(port + LINE_STATUS) & STATUS_DATA_READY)
            return in_byte(port + DATA);
        if (!(in_byte(port + MODEM_STATUS) & STATUS_CARRIER))
            return -1;
    }
}
