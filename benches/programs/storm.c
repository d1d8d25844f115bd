/*
 * A ping-pong storm over the message-passing buffers: in each round every
 * core sends 32 bytes to and fro with each of six partners, near and far.
 */
#include "RCCE.h"

#include "bench.h"

#include <string.h>

#define BYTES 32

static uint32_t ping[BYTES / 4], pong[BYTES / 4];

/* The lower of two ranks begins; both know what they must get. */
static unsigned exchange(uint32_t me, uint32_t other, uint32_t round)
{
    for (uint32_t i = 0; i < BYTES / 4; i++)
        ping[i] = me << 24 ^ round << 4 ^ i;
    if (me < other) {
        RCCE_send((char *)ping, BYTES, (int)other);
        RCCE_recv((char *)pong, BYTES, (int)other);
    } else {
        RCCE_recv((char *)pong, BYTES, (int)other);
        RCCE_send((char *)ping, BYTES, (int)other);
    }
    unsigned wrong = 0;
    for (uint32_t i = 0; i < BYTES / 4; i++)
        wrong += pong[i] != (other << 24 ^ round << 4 ^ i);
    return wrong;
}

int RCCE_APP(int argc, char **argv)
{
    unsigned wrong = 0;

    RCCE_init(&argc, &argv);
    unsigned rounds = bench_argument(argc, argv, 1, 1);
    uint32_t me = (uint32_t)RCCE_ue(), ues = (uint32_t)RCCE_num_ues();
    for (unsigned round = 0; round < rounds; round++)
        for (uint32_t bit = 1; bit < ues; bit *= 2)
            if ((me ^ bit) < ues)
                wrong += exchange(me, me ^ bit, round);
    RCCE_finalize();
    return bench_verdict("storm", rounds, wrong);
}
