/*
 * bare_lock.c: LOCK INC on the chip itself, which has no wire for LOCK: each
 * UE adds 10,000 times to one word of uncached shared memory.
 */
#include <stdio.h>

#include "RCCE.h"

#define ROUNDS 10000

int RCCE_APP(int argc, char **argv)
{
    volatile unsigned *word;

    RCCE_init(&argc, &argv);
    word = (volatile unsigned *)RCCE_shmalloc(32);
    if (RCCE_ue() == 0)
        *word = 0;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int n = 0; n < ROUNDS; n++)
        __asm__ volatile("lock incl %0" : "+m"(*word));
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        printf("%u\n", *word);
    RCCE_finalize();
    return 0;
}
