/* Shift around the ring with explicit buffers and flags. */
#include <stdio.h>
#include <string.h>
#include "RCCE.h"

#define BYTES 1024

int RCCE_APP(int argc, char **argv)
{
    RCCE_FLAG filled, emptied;
    t_vcharp space;
    unsigned char data[BYTES] __attribute__((aligned(32)));
    int me, ues, next, before, step, i, bad = 0;

    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    ues = RCCE_num_ues();
    next = (me + 1) % ues;
    before = (me - 1 + ues) % ues;
    space = RCCE_malloc(BYTES);
    if (RCCE_flag_alloc(&filled) || RCCE_flag_alloc(&emptied))
        return 1;
    RCCE_flag_write(&emptied, RCCE_FLAG_SET, me);
    memset(data, me, BYTES);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (step = 1; step <= ues; step++) {
        RCCE_wait_until(emptied, RCCE_FLAG_SET);
        RCCE_flag_write(&emptied, RCCE_FLAG_UNSET, me);
        RCCE_put(space, (t_vcharp)data, BYTES, next);
        RCCE_flag_write(&filled, RCCE_FLAG_SET, next);
        RCCE_wait_until(filled, RCCE_FLAG_SET);
        RCCE_flag_write(&filled, RCCE_FLAG_UNSET, me);
        RCCE_get((t_vcharp)data, space, BYTES, me);
        RCCE_flag_write(&emptied, RCCE_FLAG_SET, before);
        for (i = 0; i < BYTES; i++)
            bad += data[i] != (me - step + 2 * ues) % ues;
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_flag_free(&filled);
    RCCE_flag_free(&emptied);
    RCCE_free(space);
    if (bad || me == 0)
        printf("gory: %s\n", bad ? "FAILED" : "passed");
    RCCE_finalize();
    return 0;
}
