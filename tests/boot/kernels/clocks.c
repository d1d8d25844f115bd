/*
 * clocks.c: a kernel that finds the core's clock as kernels for PCs do, by
 * channel 2 of the interval timer, and reads the date. A gap of the output
 * ends without the timer, whose port then reads as ones.
 */
#include "kernel.h"

#define TICKS 11932u /* 10 ms */
#define MS 10u
#define OUTPUT 0x20u

static uint32_t cycles(void)
{
    uint32_t low;

    __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
    return low;
}

static uint32_t cycles_of_10_ms(void)
{
    uint32_t start;

    outb(0x61, (uint8_t)((inb(0x61) & ~2u) | 1));
    outb(0x43, 0xB0);
    outb(0x42, TICKS & 0xFF);
    start = cycles();
    outb(0x42, TICKS >> 8);
    while (!(inb(0x61) & OUTPUT))
        ;
    return cycles() - start;
}

static uint32_t clock_register(uint8_t number)
{
    uint32_t coded;

    outb(0x70, number);
    coded = inb(0x71);
    return (coded >> 4) * 10 + (coded & 15);
}

void main(void)
{
    say_number(cycles_of_10_ms() / (MS * 1000));
    say(" MHz, 20");
    say_number(clock_register(9));
    say("-");
    say_number(clock_register(8));
    outb(0x21, 0xFB);
    say(inb(0x21) == 0xFB ? ", 8259" : "");
    outb(0x64, 0xAA);
    say(inb(0x64) & 1 && inb(0x60) == 0x55 ? ", 8042" : "");
    outb(0x300, 41);
    say(", port 300: ");
    say_number(inb(0x300));
    say("\n");
}
