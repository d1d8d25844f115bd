// Every core rewrites its own code, and code that the others execute.
// run: -n 6
// cc: -lrcce
// expect-match: ^\[00\] 6 cores executed what was written last$
#include "RCCE.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 12
#define CALLS 400
#define LINE 32

typedef uint32_t function(void);

/* mov eax, value; then as many nops; ret. */
static void write_code(volatile uint8_t *code, uint32_t value, unsigned nops)
{
    code[0] = 0xB8;
    for (unsigned i = 0; i < 4; i++)
        code[1 + i] = (uint8_t)(value >> 8 * i);
    for (unsigned i = 0; i < nops; i++)
        code[5 + i] = 0x90;
    code[5 + nops] = 0xC3;
}

static uint8_t own[LINE] __attribute__((aligned(LINE)));

/* The cached line of code changes before each call. */
static unsigned rewrite_own(uint32_t seed)
{
    unsigned wrong = 0;

    write_code(own, 0, 3);
    for (uint32_t i = 0; i < CALLS; i++) {
        uint32_t value = seed + i * 2654435761u;
        memcpy(own + 1, &value, sizeof value);
        __asm__ volatile("" ::: "memory");
        wrong += ((function *)(void *)own)() != value;
    }
    return wrong;
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), n = RCCE_num_ues();
    volatile uint8_t *code =
        (volatile uint8_t *)RCCE_shmalloc((size_t)n * LINE);
    unsigned wrong = 0;

    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int round = 0; round < ROUNDS; round++) {
        int mine = round * 100 + me, next = (me + 1) % n;
        write_code(code + me * LINE, (uint32_t)mine,
                   (unsigned)(round + me) % 9);
        RCCE_barrier(&RCCE_COMM_WORLD);
        function *theirs = (function *)(uintptr_t)(code + next * LINE);
        for (int i = 0; i < 40; i++)
            wrong += theirs() != (uint32_t)(round * 100 + next);
        wrong += rewrite_own((uint32_t)mine);
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    static double total, each;
    each = wrong;
    RCCE_allreduce((char *)&each, (char *)&total, 1, RCCE_DOUBLE, RCCE_SUM,
                   RCCE_COMM_WORLD);
    if (me == 0 && total == 0)
        printf("%d cores executed what was written last\n", n);
    RCCE_finalize();
    return total != 0;
}
