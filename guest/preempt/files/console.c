/*
 * console.c: text to COM1, and the kernel's last words.
 */
#include "common/serial_text.h"
#include "kernel.h"

void say(const char *text)
{
    put_text(text);
}

void panic(const char *why, uint32_t value)
{
    say("kernel: ");
    say(why);
    say(" ");
    put_hex(value, 8);
    say("\n");
    for (;;)
        __asm__ volatile("cli; hlt");
}
