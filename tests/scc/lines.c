// Out of message memory, from any address to any address, with and without a
// sum: every byte, and nothing beside it.
// run: -n 1 --tag none
// expect-stdout:
// 0 of 8192 copies wrong
#include <stdio.h>
#include <string.h>

#include "scc/map.h"
#include "scc/mpb.h"

#define ROOM 160

static uint32_t sum_of(const unsigned char *from, unsigned at, unsigned bytes)
{
    uint32_t sum = 0;

    for (unsigned n = 0; n < bytes; n++)
        sum += (uint32_t)from[n] << 8 * ((at + n) & 3);
    return sum;
}

int main(void)
{
    volatile unsigned char *mpb =
        scc_map(SCC_MPBT, scc_mpb_of(scc_own_core()), SCC_PAGE);
    unsigned char all[ROOM], to[ROOM + 16], expected[ROOM + 16];
    int wrong = 0, copies = 0;

    for (unsigned n = 0; n < ROOM; n++)
        mpb[SCC_LINE_SIZE + n] = all[n] = (unsigned char)(37 * n + 11);
    scc_push(scc_drain());
    scc_cl1invmb();
    for (unsigned from = 0; from < 8; from++)
        for (unsigned at = 0; at < 8; at++)
            for (unsigned bytes = 0; bytes < 128; bytes++, copies++) {
                uint32_t sum = sum_of(all + from, from, bytes);

                memset(to, 0xee, sizeof to);
                memcpy(expected, to, sizeof to);
                memcpy(expected + at, all + from, bytes);
                if (bytes & 1)
                    scc_get(to + at, mpb + SCC_LINE_SIZE + from, bytes);
                else if (scc_get_sum(to + at, mpb + SCC_LINE_SIZE + from,
                                     bytes) != sum)
                    wrong++;
                wrong += memcmp(to, expected, sizeof to) != 0;
            }
    printf("%d of %d copies wrong\n", wrong, copies);
    return wrong != 0;
}
