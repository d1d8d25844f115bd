/*
 * print.c: words and numbers on COM1; a byte takes microseconds, so nothing
 * is printed while something is measured.
 */
#include "bare.h"

void say(const char *text)
{
    for (; *text != 0; text++)
        __asm__ volatile("outb %0, %1"
                         :
                         : "a"((uint8_t)*text),
                           "Nd"((uint16_t)SCC_SERIAL_COM1));
}

void say_number(uint32_t value)
{
    char text[11];
    int at = sizeof(text) - 1;

    text[at] = 0;
    do {
        text[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    say(text + at);
}

void say_list(const uint32_t *values, int count)
{
    for (int i = 0; i < count; i++) {
        say(" ");
        say_number(values[i]);
    }
    say("\n");
}
