/*
 * CRC-32 (polynomial 0x04C11DB7, reflected) by a table of 256 entries over
 * 8 KB, whose last four bytes bring every check sum to the CRC's residue.
 */
#include "bench.h"

#include <string.h>

#define BYTES 8192
#define CHECK 0xCBF43926u   /* of "123456789" */
#define RESIDUE 0x2144DF1Cu /* of any text followed by its own CRC */

static uint32_t table[256];
static uint8_t data[BYTES];

static void make_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
        table[i] = value;
    }
}

static uint32_t crc(const uint8_t *from, unsigned bytes)
{
    uint32_t value = ~0u;

    for (unsigned i = 0; i < bytes; i++)
        value = value >> 8 ^ table[(value ^ from[i]) & 0xFF];
    return ~value;
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    uint32_t state = 1;

    make_table();
    wrong += crc((const uint8_t *)"123456789", 9) != CHECK;
    for (unsigned i = 0; i < BYTES; i++)
        data[i] = (uint8_t)bench_random(&state);
    for (unsigned round = 0; round < rounds; round++) {
        data[round % 4096] = (uint8_t)round;
        uint32_t sum = crc(data, BYTES - 4);
        memcpy(data + BYTES - 4, &sum, 4);
        wrong += crc(data, BYTES) != RESIDUE;
    }
    return bench_verdict("crc", rounds, wrong);
}
