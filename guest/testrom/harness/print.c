/*
 * print.c: text and numbers to COM1, by polling.
 */
#include "testrom.h"

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

void text(const char *string)
{
    while (*string)
        put(*string++);
}

/* The low DIGITS hexadecimal digits. */
void hex(uint32_t value, int digits)
{
    while (digits-- > 0)
        put("0123456789abcdef"[value >> 4 * digits & 15]);
}

void topic(const char *name)
{
    text("-- ");
    text(name);
    text("\n");
}

/* A line "what: value". */
void line(const char *what, uint32_t value, int digits)
{
    text(what);
    text(": ");
    hex(value, digits);
    text("\n");
}
