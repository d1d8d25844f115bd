/* Everybody to everybody: 64 bytes from each core to each, each round. */
#include "RCCE.h"
#include "RCCE_collectives.h"

#include "bench.h"

#define WORDS 16
#define MAX_UES 512

static uint32_t out[MAX_UES][WORDS], in[MAX_UES][WORDS];

int RCCE_APP(int argc, char **argv)
{
    unsigned wrong = 0;

    RCCE_init(&argc, &argv);
    unsigned rounds = bench_argument(argc, argv, 1, 1);
    uint32_t me = (uint32_t)RCCE_ue(), ues = (uint32_t)RCCE_num_ues();
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t to = 0; to < ues; to++)
            for (uint32_t i = 0; i < WORDS; i++)
                out[to][i] = me << 16 ^ to << 8 ^ round ^ i;
        RCCE_coll_alltoall((char *)out, (char *)in, sizeof out[0],
                           RCCE_COMM_WORLD);
        for (uint32_t from = 0; from < ues; from++)
            for (uint32_t i = 0; i < WORDS; i++)
                wrong += in[from][i] != (from << 16 ^ me << 8 ^ round ^ i);
    }
    RCCE_finalize();
    return bench_verdict("alltoall", rounds, wrong);
}
