// After CL1INVMB an MPB line comes from the mesh again, not from L2; an
// ordinary line that fell out of L1 comes from L2.
// cc: -O2
// run: -n 1
// mutant: mpbt-in-l2
// expect-stdout:
// MPBT lines are not in L2
// ordinary lines are
#include "chip.h"

/* An MPB read needs 45 core cycles and more, an L2 hit 18 (intel-eas);
 * RDTSC itself about 13 (barrelfish-tn005). */
#define MESH_CYCLES 45
#define L2_LIMIT 40

static uint32_t timed_read(word *at)
{
    uint32_t start = rdtsc_low();
    (void)*at;
    return rdtsc_low() - start;
}

int main(void)
{
    word *mpb = map_mpb(0);
    word *dram = map_cached(SHARED_DRAM + 0x60000u, 0x10000);
    uint32_t again = 0, second = 0;

    /* Round 0 loads the code, so round 1 must run the same. */
#pragma clang loop unroll(disable)
    for (int round = 0; round < 2; round++) {
        (void)mpb[0];
        cl1invmb();
        again = timed_read(mpb);
        (void)dram[0];
        for (int way = 1; way <= 8; way++) /* same L1 set, other L2 sets */
            (void)dram[way * 1024];
        second = timed_read(dram);
    }
    CHECK(again >= MESH_CYCLES);
    puts("MPBT lines are not in L2");
    CHECK(second < L2_LIMIT);
    puts("ordinary lines are");
    return 0;
}
