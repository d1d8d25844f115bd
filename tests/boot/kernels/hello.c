/* hello.c: a kernel that prints what its boot loader gave it. */
#include "kernel.h"

/* Places in the multiboot information, counted in words. */
enum { COMMAND_LINE = 4, MODULES = 5, MODULE_TABLE = 6 };

void main(uint32_t magic, const uint32_t *info)
{
    const uint32_t *module = (const uint32_t *)info[MODULE_TABLE];
    uint32_t n, i;

    say(magic == MULTIBOOT_LOADED ? "core " : "no multiboot ");
    say_number(core_number());
    say(": ");
    say((const char *)info[COMMAND_LINE]);
    say("\n");
    for (n = 0; n < info[MODULES]; n++, module += 4) {
        const char *bytes = (const char *)module[0];
        say((const char *)module[2]);
        say(": ");
        for (i = 0; i < module[1] - module[0]; i++)
            outb(COM1, (uint8_t)bytes[i]);
        say("\n");
    }
}
