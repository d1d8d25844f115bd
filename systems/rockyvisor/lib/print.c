/*
 * print.c: the hypervisor's own words on COM1 or COM2, and its end.
 *
 * No port has a wire behind it, so each transmitter is always empty and
 * nothing is polled.
 */
#include "visor.h"
#include "common/processor.h"
#include "scc/host_channel.h"

static u32 host_registers;
static u16 port = SCC_SERIAL_COM1;

void host_init(u32 core)
{
    host_registers = device_page(SCC_HOST_CHANNEL_OF(core));
}

/* From now on to COM2, which no guest has; or to COM1 again. */
void print_apart(bool apart)
{
    port = apart ? SCC_SERIAL_COM2 : SCC_SERIAL_COM1;
}

/* A long report takes no mails. */
void print(const char *text)
{
    mail_live();
    while (*text)
        out_byte(port, (u8)*text++);
}

void print_hex(u32 value)
{
    char text[9];

    for (int n = 0; n < 8; n++)
        text[n] = "0123456789abcdef"[value >> (28 - 4 * n) & 15];
    text[8] = 0;
    print(text);
}

void print_decimal(u32 value)
{
    char text[11], *at = text + 10;

    *at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    print(at);
}

/* The exit record that the host waits for. */
void core_end(u32 code)
{
    if (host_registers) {
        write_register(host_registers + SCC_HOST_EXIT_REASON, SCC_EXIT_NORMAL);
        write_register(host_registers + SCC_HOST_EXIT_CODE, code);
        write_register(host_registers + SCC_HOST_EXIT_DONE, 1);
    }
    halt_forever();
    __builtin_unreachable();
}

/* One line that says why, then the machine ends. */
void stop(const char *why)
{
    print("rockyvisor: ");
    print(why);
    print("\n");
    power_off(1);
}

void give_up(const char *why, u32 value)
{
    print("rockyvisor: ");
    print(why);
    print(" 0x");
    print_hex(value);
    print("\n");
    power_off(1);
}
