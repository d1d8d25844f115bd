/*
 * echo.c: a kernel that finds its serial port as drivers do, then sleeps and
 * answers each byte in its interrupt, in capitals, up to the end of a line.
 */
#include "kernel.h"

static volatile uint32_t done;

void on_lint0(void)
{
    while ((inb(COM1 + SCC_SERIAL_IIR) & SCC_SERIAL_IIR_NONE) == 0) {
        uint8_t byte = inb(COM1 + SCC_SERIAL_DATA);
        outb(COM1, byte >= 'a' && byte <= 'z' ? byte - 'a' + 'A' : byte);
        if (byte == '\n' || byte == '\r')
            done = 1;
    }
    end_lint0();
}

void main(void)
{
    uint8_t lines;

    take_lint0();
    outb(COM1 + SCC_SERIAL_MCR, SCC_SERIAL_MCR_LOOPBACK | 0xA);
    lines = inb(COM1 + SCC_SERIAL_MSR) & 0xF0;
    outb(COM1 + SCC_SERIAL_MCR, 0xB);
    say(lines == 0x90 ? "uart " : "no uart ");
    outb(COM1 + SCC_SERIAL_FCR, 0xC1);
    outb(COM1 + SCC_SERIAL_IER, SCC_SERIAL_IER_RECEIVED);
    sleep_until(&done);
    say("bye\n");
}
