/*
 * A ping-pong of flags alone: pairs of cores, half the chip apart, write
 * numbers into each other's message-passing buffer and poll their own. No
 * library comes between: almost every transaction is a poll or a write.
 */
#include "RCCE.h"

#include "bench.h"

#include <scc/cache.h>

extern t_vcharp RCCE_comm_buffer[];

/* A message-passing buffer's line, as its words. */
typedef volatile uint32_t *line;

/* Another line takes the write-combine buffer: what was there goes out. */
static void put(line where, line other, uint32_t value)
{
    scc_cl1invmb();
    where[0] = value;
    other[0] = value;
}

static void await(line where, uint32_t value)
{
    do
        scc_cl1invmb();
    while (where[0] != value);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    unsigned rounds = bench_argument(argc, argv, 1, 1);
    int me = RCCE_ue(), ues = RCCE_num_ues();
    int other = (me + ues / 2) % ues;
    t_vcharp own = RCCE_malloc(2 * RCCE_LINE_SIZE);
    line mine = (line)own, next = (line)(own + RCCE_LINE_SIZE);
    line theirs =
        (line)(RCCE_comm_buffer[other] + (own - RCCE_comm_buffer[me]));

    put(mine, next, 0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (uint32_t round = 1; round <= rounds; round++) {
        if (me > other)
            await(mine, round);
        put(theirs, next, round);
        if (me < other)
            await(mine, round);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    scc_cl1invmb();
    unsigned wrong = mine[0] != rounds;
    RCCE_finalize();
    return bench_verdict("flags", rounds, wrong);
}
