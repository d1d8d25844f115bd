// Rewrites its own code for ever: each round another function, at another
// place, run often enough to become host code. `make soak` watches the memory
// of the host meanwhile; with an argument it ends after so many rounds.
// run: -n 2 -- 300
// expect-stdout:
// [00] right
// [01] right
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES 4096
#define PLACE_BYTES 256
#define CALLS 150

static unsigned char code[PLACES][PLACE_BYTES] __attribute__((aligned(4096)));

/* mov eax, first; then so many times add eax, step; ret */
static void write_function(unsigned char *at, unsigned first, unsigned steps,
                           unsigned step)
{
    *at++ = 0xB8;
    memcpy(at, &first, 4);
    at += 4;
    for (unsigned i = 0; i < steps; i++) {
        *at++ = 0x05;
        memcpy(at, &step, 4);
        at += 4;
    }
    *at = 0xC3;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    for (unsigned round = 1; rounds == 0 || round <= rounds; round++) {
        unsigned char *place = code[round * 2654435761u % PLACES];
        unsigned steps = round % 40, step = round * 77;
        write_function(place, round, steps, step);
        for (int call = 0; call < CALLS; call++)
            if (((unsigned (*)(void))place)() != round + steps * step) {
                printf("wrong in round %u\n", round);
                return 1;
            }
    }
    printf("right\n");
    return 0;
}
