/*
 * serial_text.h: characters and hexadecimal digits to COM1, by polling.
 */
#ifndef COMMON_SERIAL_TEXT_H
#define COMMON_SERIAL_TEXT_H

#include <stdint.h>

#define COM1 0x3F8
#define LINE_STATUS (COM1 + 5)
#define THR_EMPTY 0x20

static inline void put(char c)
{
    uint8_t status;

    do
        __asm__ volatile("inb %1, %0"
                         : "=a"(status)
                         : "d"((uint16_t)LINE_STATUS));
    while (!(status & THR_EMPTY));
    __asm__ volatile("outb %0, %1" : : "a"(c), "d"((uint16_t)COM1));
}

static inline void put_text(const char *text)
{
    while (*text)
        put(*text++);
}

/* The low DIGITS hexadecimal digits. */
static inline void put_hex(uint32_t value, int digits)
{
    while (digits-- > 0)
        put("0123456789abcdef"[value >> 4 * digits & 15]);
}

#endif
