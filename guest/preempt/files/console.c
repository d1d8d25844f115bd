/*
 * console.c: text to COM1, and the kernel's last words.
 */
#include "kernel.h"

#define COM1 0x3F8
#define LINE_STATUS (COM1 + 5)
#define THR_EMPTY 0x20

static void put(char c)
{
    uint8_t status;

    do
        __asm__ volatile("inb %1, %0"
                         : "=a"(status)
                         : "d"((uint16_t)LINE_STATUS));
    while (!(status & THR_EMPTY));
    __asm__ volatile("outb %0, %1" : : "a"(c), "d"((uint16_t)COM1));
}

void say(const char *text)
{
    while (*text)
        put(*text++);
}

void panic(const char *why, uint32_t value)
{
    int shift;

    say("kernel: ");
    say(why);
    say(" ");
    for (shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[value >> shift & 15]);
    say("\n");
    for (;;)
        __asm__ volatile("cli; hlt");
}
