// Splitting all UEs by colour: sizes, ranks, and barriers of one part that
// do not wait for the other.
// run: -n 12 --tag none
// also: --kernel l4
// cc: -lrcce
// expect-stdout:
// 3 parts of 4, ranks in order
// parts run on their own
#include "RCCE.h"

static int by_rest(int ue, void *aux)
{
    return ue % *(int *)aux;
}

int RCCE_APP(int argc, char **argv)
{
    int parts = 3, size, rank, wrong = 0, total;
    RCCE_COMM part = {0};

    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    if (RCCE_comm_split(by_rest, &parts, &part))
        return 2;
    RCCE_comm_size(part, &size);
    RCCE_comm_rank(part, &rank);
    wrong += size != 4 || rank != me / 3;
    for (int i = 0; i < size; i++)
        wrong += part.member[i] != me % 3 + 3 * i;
    RCCE_reduce((char *)&wrong, (char *)&total, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("3 parts of 4, ranks %s\n", total ? "wrong" : "in order");

    /* Part 0 has done ten barriers before the others do one. */
    volatile int *gate = (volatile int *)RCCE_shmalloc(32);
    if (me % 3 == 0) {
        for (int i = 0; i < 10; i++)
            RCCE_barrier(&part);
        if (me == 0)
            *gate = 1;
    } else {
        while (!*gate)
            ;
        RCCE_barrier(&part);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        puts("parts run on their own");
    RCCE_comm_free(&part);
    return RCCE_finalize();
}
