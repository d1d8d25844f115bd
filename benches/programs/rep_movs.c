/*
 * The string instructions: REP MOVSD and REP STOSD over 4 KB, REP MOVSB over
 * lengths and places that no word divides, REPE CMPSB over the copies. Both
 * buffers have been read, so that stores find their lines.
 */
#include "bench.h"

#define BYTES 4096
#define SHORT 61

static uint8_t from[BYTES + 16], to[BYTES + 16];

static void move_words(void *target, const void *source, unsigned words)
{
    __asm__ volatile("rep movsl"
                     : "+D"(target), "+S"(source), "+c"(words)
                     :
                     : "memory");
}

static void move_bytes(void *target, const void *source, unsigned bytes)
{
    __asm__ volatile("rep movsb"
                     : "+D"(target), "+S"(source), "+c"(bytes)
                     :
                     : "memory");
}

static void store_words(void *target, uint32_t value, unsigned words)
{
    __asm__ volatile("rep stosl"
                     : "+D"(target), "+c"(words)
                     : "a"(value)
                     : "memory");
}

static unsigned differ(const void *one, const void *other, unsigned bytes)
{
    uint8_t different;

    __asm__ volatile("repe cmpsb\n\tsetne %3"
                     : "+D"(one), "+S"(other), "+c"(bytes), "=q"(different)
                     :
                     : "memory", "cc");
    return different;
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    uint32_t state = 1;

    for (unsigned i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)(bench_random(&state) + to[i]);
    for (unsigned round = 0; round < rounds; round++) {
        store_words(to, round, BYTES / 4);
        wrong += to[0] != (uint8_t)round || to[BYTES - 4] != to[0];
        for (unsigned n = 0; n < 4; n++)
            move_words(to, from, BYTES / 4);
        for (unsigned n = 0; n < 16; n++)
            move_bytes(to + n * 200 + round % 7, from + n, SHORT);
        wrong += differ(to + 3000 + round % 7, from + 15, SHORT);
    }
    return bench_verdict("rep_movs", rounds, wrong);
}
