/* The kernel gives up. Every room may say so; trap/panic.c stands above them,
 * because it prints the registers and ends the run. */
#ifndef LIB_PANIC_H
#define LIB_PANIC_H

void panic(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

#endif
