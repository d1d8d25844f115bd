/*
 * print.c: text and numbers to COM1, by polling.
 */
#include "common/serial_text.h"
#include "testrom.h"

void text(const char *string)
{
    put_text(string);
}

void hex(uint32_t value, int digits)
{
    put_hex(value, digits);
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
