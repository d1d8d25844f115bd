/*
 * histogram.c: what the guest trapped for, how often and for how long, with
 * `report` on the command line. Cycles are those of the handlers in C; the way
 * in and out is not in them.
 */
#include "visor.h"
#include "common/processor.h"

#define LONGEST_FIRST 24

struct name {
    u16 cause;
    const char *text;
};

static const struct name names[] = {
    {0x17, "POP SS"},
    {0x6C, "POPF"},
    {0x6E, "IRET"},
    {0x8E, "MOV to SS"},
    {0xCF, "IRET, not replaced"},
    {0xE4, "IN"},
    {0xE5, "IN, wide"},
    {0xE6, "OUT"},
    {0xE7, "OUT, wide"},
    {0xEC, "IN from DX"},
    {0xED, "IN from DX, wide"},
    {0xEE, "OUT to DX"},
    {0xEF, "OUT to DX, wide"},
    {0xF4, "HLT"},
    {0xFA, "CLI"},
    {0xFB, "STI"},
    {CAUSE_TWO_BYTES + 0x00, "LLDT, LTR"},
    {CAUSE_TWO_BYTES + 0x04, "SLDT, STR, VERR, VERW"},
    {CAUSE_TWO_BYTES + 0x05, "LAR"},
    {CAUSE_TWO_BYTES + 0x06, "CLTS"},
    {CAUSE_TWO_BYTES + 0x07, "LSL"},
    {CAUSE_TWO_BYTES + 0x09, "WBINVD"},
    {CAUSE_TWO_BYTES + 0x0C, "PAUSE"},
    {CAUSE_TWO_BYTES + 0x20, "MOV from a control register"},
    {CAUSE_TWO_BYTES + 0x21, "MOV from a debug register"},
    {CAUSE_TWO_BYTES + 0x23, "MOV to a debug register"},
    {CAUSE_TWO_BYTES + 0x30, "WRMSR"},
    {CAUSE_TWO_BYTES + 0x32, "RDMSR"},
    {CAUSE_TWO_BYTES + 0xA6, "CPUID"},
    {CAUSE_TWO_BYTES + 0xA7, "SGDT, SIDT, SMSW"},
    {CAUSE_TABLES + 2, "LGDT"},
    {CAUSE_TABLES + 3, "LIDT"},
    {CAUSE_TABLES + 6, "LMSW"},
    {CAUSE_TABLES + 7, "INVLPG"},
    {CAUSE_CONTROL + 0, "MOV to CR0"},
    {CAUSE_CONTROL + 3, "MOV to CR3"},
    {CAUSE_CONTROL + 4, "MOV to CR4"},
    {CAUSE_HIDDEN, "page that is not in a shadow yet"},
    {CAUSE_DEVICE, "local APIC's registers"},
    {CAUSE_FAULT, "page fault of the guest's own"},
    {CAUSE_STEP, "end of a single step"},
    {CAUSE_CALL, "INT n, exceptions"},
    {CAUSE_TIMER, "timer"},
    {CAUSE_MAIL, "mail"},
};

static struct {
    u32 count;
    u64 cycles;
} found[CAUSES];
static u64 began;
static u32 cause;

void histogram_begin(u32 first)
{
    cause = first;
    if (options.reports)
        began = read_tsc();
}

/* The handler knows the cause better than the vector does. */
void histogram_cause(u32 better)
{
    cause = better;
}

void histogram_end(void)
{
    if (!options.reports)
        return;
    found[cause].count++;
    found[cause].cycles += read_tsc() - began;
}

static void print_name(u32 which)
{
    for (u32 n = 0; n < sizeof(names) / sizeof(*names); n++)
        if (names[n].cause == which) {
            print(names[n].text);
            return;
        }
    print("opcode ");
    print_hex(which);
}

static void print_cause(u32 which)
{
    /* Both numbers halved until they fit what a 32-bit division takes. */
    u64 cycles = found[which].cycles;
    u32 count = found[which].count, shift = 0;

    while (cycles >> shift >> 32)
        shift++;
    print("rockyvisor: ");
    print_decimal(found[which].count);
    print(" x ");
    count = count >> shift ? count >> shift : 1;
    print_decimal((u32)(cycles >> shift) / count);
    print(" cycles: ");
    print_name(which);
    print("\n");
}

/* Causes that took longest come first. */
void histogram_print(void)
{
    for (u32 line = 0; line < LONGEST_FIRST; line++) {
        u32 longest = 0;

        for (u32 n = 1; n < CAUSES; n++)
            if (found[n].cycles > found[longest].cycles)
                longest = n;
        if (!found[longest].count)
            return;
        print_cause(longest);
        found[longest].cycles = 0;
        found[longest].count = 0;
    }
}
