// The basic interface with single-bit flags: collectives and parts.
// run: -n 6 --tag none
// also-slow: --kernel l4
// cc: -DSINGLEBITFLAGS -lrcce
// expect-stdout:
// sum 15 everywhere, parts of 3
#include "RCCE.h"

static int halves(int ue, void *aux)
{
    (void)aux;
    return ue & 1;
}

int RCCE_APP(int argc, char **argv)
{
    int sum = 0, size, wrong, total;
    RCCE_COMM part = {0};
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    RCCE_allreduce((char *)&me, (char *)&sum, 1, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    if (RCCE_comm_split(halves, NULL, &part))
        return 2;
    RCCE_comm_size(part, &size);
    for (int i = 0; i < 5; i++)
        RCCE_barrier(&part);
    wrong = sum != 15 || size != 3;
    RCCE_bcast((char *)&size, sizeof size, 2, part);
    RCCE_reduce((char *)&wrong, (char *)&total, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0 && total == 0)
        printf("sum %d everywhere, parts of %d\n", sum, size);
    RCCE_comm_free(&part);
    return RCCE_finalize();
}
