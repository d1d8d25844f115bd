/* pack_crc.c: CRC-32 as in zip files, four bits at a time. */
#include "pack.h"

#define POLYNOMIAL 0xedb88320u

static uint32_t table[16];

static void make_table(void)
{
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t value = i;

        for (int bit = 0; bit < 4; bit++)
            value = value & 1 ? value >> 1 ^ POLYNOMIAL : value >> 1;
        table[i] = value;
    }
}

uint32_t pack_crc32(const unsigned char *bytes, size_t count)
{
    uint32_t crc = ~0u;

    if (!table[1])
        make_table();
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}
