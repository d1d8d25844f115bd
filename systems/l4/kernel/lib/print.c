/*
 * print.c: the kernel's own words on COM1, and its end.
 *
 * The port has no wire behind it, so its transmitter is always empty and
 * nothing is polled.
 */
#include "kernel/kernel.h"
#include "common/processor.h"
#include "scc/host_channel.h"
#include "scc/registers.h"

void print_to(u16 port, const char *text, u32 bytes)
{
    while (bytes--)
        out_byte(port, (u8)*text++);
}

void print(const char *text)
{
    while (*text)
        print_to(SCC_SERIAL_COM1, text++, 1);
}

void print_hex(u32 value)
{
    char text[9];

    for (int n = 0; n < 8; n++)
        text[n] = "0123456789abcdef"[value >> (28 - 4 * n) & 15];
    text[8] = 0;
    print(text);
}

/* The kernel cannot start: one line that says why, then the core ends. */
void stop(const char *why)
{
    print("l4: ");
    print(why);
    print("\n");
    core_end(1);
}

void give_up(const char *why, u32 value)
{
    print("l4: ");
    print(why);
    print(": ");
    print_hex(value);
    print("\n");
    core_end(1);
}
