/*
 * tables.c: what a guest finds where a PC's BIOS leaves it: the table of
 * processors of Intel's MultiProcessor Specification 1.4.
 */
#include "common/local_apic.h"
#include "boot/loading.h"

#define PLACE 0xF0000u /* where it is looked for */
#define TABLE (PLACE + 16)
#define VERSION 0x14
#define ENABLED 1
#define FIRST 2
#define SIGNATURE 0x526u /* family 5, model 2 */
#define COM1_LINE 4
#define NO_APIC 0xFE
#define FEATURES 0x331u /* FPU, TSC, MSR, CX8, APIC */

struct pointer {
    char name[4];
    u32 table;
    u8 length, revision, checksum, features[5];
};

struct processor {
    u8 kind, id, version, flags;
    u32 signature, features, reserved[2];
};

struct bus {
    u8 kind, id;
    char name[6];
};

struct interrupt {
    u8 kind, type;
    u16 flags;
    u8 from_bus, from_line, to_apic, to_line;
};

struct table {
    char name[4];
    u16 length;
    u8 revision, checksum;
    char vendor[8], product[12];
    u32 more;
    u16 more_bytes, count;
    u32 apic;
    u16 extended;
    u8 extended_checksum, reserved;
    struct processor processors[CORES * VCPUS_MAX];
    struct bus bus;
    struct interrupt interrupt;
} __attribute__((packed));

static u8 checksum(const void *from, u32 bytes)
{
    const u8 *at = from;
    u8 sum = 0;

    while (bytes--)
        sum = (u8)(sum + *at++);
    return (u8)-sum;
}

void tables_put(void)
{
    static struct table table = {
        .name = {'P', 'C', 'M', 'P'},
        .revision = 4,
        .vendor = {'S', 'C', 'C', ' ', ' ', ' ', ' ', ' '},
        .product = {'R', 'O', 'C', 'K', 'Y', 'V', 'I', 'S', 'O', 'R', ' ', ' '},
        .apic = APIC_PAGE};
    struct pointer pointer = {.name = {'_', 'M', 'P', '_'},
                              .table = TABLE,
                              .length = 1,
                              .revision = 4};
    u32 count = options.core_count * options.per_core;
    u32 bytes = offsetof(struct table, processors);
    struct bus bus = {1, 0, {'I', 'S', 'A', ' ', ' ', ' '}};
    /* Linux takes a table without one for a BIOS's mistake, and says so. */
    struct interrupt interrupt = {3, 0, 0, 0, COM1_LINE, NO_APIC, COM1_LINE};

    for (u32 n = 0; n < count; n++)
        table.processors[n] = (struct processor){
            0,         (u8)n,    VERSION, n ? ENABLED : ENABLED | FIRST,
            SIGNATURE, FEATURES, {0}};
    bytes += count * sizeof(struct processor);
    memcpy((u8 *)&table + bytes, &bus, sizeof(bus));
    bytes += sizeof(bus);
    memcpy((u8 *)&table + bytes, &interrupt, sizeof(interrupt));
    bytes += sizeof(interrupt);
    table.count = (u16)(count + 2);
    table.length = (u16)bytes;
    table.checksum = checksum(&table, bytes);
    pointer.checksum = checksum(&pointer, sizeof(pointer));
    physical_write(PLACE, &pointer, sizeof(pointer));
    physical_write(TABLE, &table, bytes);
}
