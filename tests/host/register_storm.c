// A storm: random values in random registers of all tiles, lookup tables,
// message buffers, and whatever else an address above the core's own memory
// reaches. What becomes of the chip is its own affair; rck must survive.
// test_storms.py runs it, with a seed.
#include "../chip/chip.h"
#include <string.h>

#define PAGE 4096u
#define WINDOWS 24

static uint32_t state;

static uint32_t any(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* A page of some tile's registers, of its own ones, or anywhere above. */
static uint32_t page(void)
{
    uint32_t kind = any() % 4;
    if (kind == 0)
        return CRB_BASE + (any() % 24) * 0x01000000u;
    if (kind == 1)
        return OWN_CRB + (any() % 2 ? 0 : any() % 16 * PAGE);
    return (0x80000000u + any() % 0x7FFF0000u) & ~(PAGE - 1);
}

int main(int argc, char **argv)
{
    word *at[WINDOWS];
    uint32_t rounds = argc > 2 ? (uint32_t)atoi(argv[2]) : 2000;

    state = 2654435761u * (uint32_t)(argc > 1 ? atoi(argv[1]) : 1) + 97;
    state ^= 0x9E3779B9u * (uint32_t)(my_core() + 1);
    for (int i = 0; i < WINDOWS; i++)
        at[i] = map_uncached(page(), PAGE);
    for (uint32_t round = 0; round < rounds; round++) {
        word *place = at[any() % WINDOWS] + any() % (PAGE / 4);
        if (any() % 3)
            *place = any() % 4 ? any() : any() % 8;
        else
            state += *place | 1;
        if (state == 0)
            state = 1;
    }
    printf("over\n");
    return 0;
}
