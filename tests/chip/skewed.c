// Integers that are not aligned, on more pages than the data TLB has entries and in more lines than
// L2 has: within a line, across two lines, across two pages.
// run: -n 1
// expect-stdout:
// 2e08
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 1 << 20, ROUNDS = 40000 };

static _Alignas(64) unsigned char bytes[BYTES];

static uint32_t load(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static void store(unsigned char *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

int main(void)
{
    uint32_t sum = 0, random = 1;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        random = random * 1664525u + 1013904223u;
        unsigned char *at = bytes + (random >> 8) % (BYTES - 128);
        sum = (sum << 1 | sum >> 31) ^ load(at);
        switch (i % 5) {
        case 0:
            store(at + i % 64, sum + i);
            break;
        case 1:
            store(bytes + ((at - bytes) & ~3), i);
            break;
        case 2:
            store(at, load(at) + 0x01010101u);
            break;
        case 3:
            memcpy(at + 3, at, 2);
            break;
        default:
            sum += *at;
        }
    }
    printf("%04x\n", (sum ^ sum >> 16) & 0xFFFF);
    return 0;
}
