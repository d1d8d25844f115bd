/*
 * linux.c: prints what a boot loader gave a kernel of Linux's 32-bit boot
 * protocol, from struct boot_params and the registers at its entry.
 */
#include "kernel.h"

enum {
    ALT_MEMORY = 0x1E0,
    MAP_ENTRIES = 0x1E8,
    MAGIC = 0x202,
    LOADER = 0x210,
    RAMDISK = 0x218,
    RAMDISK_SIZE = 0x21C,
    COMMAND_LINE = 0x228,
    SUBARCH = 0x23C,
    MAP = 0x2D0,
    MAP_ENTRY = 20
};
#define HDRS 0x53726448u
#define CACHES_OFF 0x60000000u
#define PAGING 0x80000000u
#define INTERRUPTS 0x200u
#define SELECTORS 0x00100018u

static void tell(const char *name, uint32_t value)
{
    say(name);
    say_number(value);
    say("\n");
}

void main(uint32_t params, uint32_t flags, uint32_t cr0, uint32_t rest,
          uint32_t selectors)
{
    uint32_t n, i, file = load(params + RAMDISK);

    say(load(params + MAGIC) == HDRS ? "header, " : "no header, ");
    say(cr0 & (CACHES_OFF | PAGING) || flags & INTERRUPTS || rest != 0 ||
                selectors != SELECTORS
            ? "registers wrong\n"
            : "registers right\n");
    tell("loader ", load(params + LOADER) & 0xFF);
    tell("platform ", load(params + SUBARCH));
    say("command line ");
    say((const char *)load(params + COMMAND_LINE));
    say("\ninitrd ");
    for (i = 0; i < load(params + RAMDISK_SIZE); i++)
        outb(COM1, *(volatile uint8_t *)(file + i));
    say("\n");
    for (n = 0; n < (load(params + MAP_ENTRIES) & 0xFF); n++) {
        uint32_t entry = params + MAP + n * MAP_ENTRY;
        tell("memory from ", load(entry));
        tell("bytes ", load(entry + 8));
    }
    tell("above 1 MB, KB ", load(params + ALT_MEMORY));
    tell("initrd page ", file % 4096);
}
