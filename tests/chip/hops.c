// Every hop costs four mesh cycles each way.
// run: -n 1
// mutant: free-hop
// expect-stdout:
// 7 hops more: right
#include "chip.h"

#define READS 64

static uint32_t read_cycles(word *mpb)
{
    uint32_t start = rdtsc_low();
    for (int i = 0; i < READS; i++) {
        cl1invmb();
        (void)mpb[0];
    }
    return rdtsc_low() - start;
}

int main(void)
{
    word *near = map_mpb(2), *far = map_mpb(47); /* 1 and 8 hops */
    uint32_t near_cycles = 0, far_cycles = 0;

    for (int round = 0; round < 2; round++) { /* round 0 loads the code */
        near_cycles = read_cycles(near);
        far_cycles = read_cycles(far);
    }
    /* 7 hops, 8 mesh cycles there and back, 2 core cycles for 3 mesh
     * cycles: 112 core cycles for 3 reads. A read may wait for the edge of
     * the slower clock. */
    uint32_t difference = far_cycles - near_cycles;
    uint32_t expected = READS * 112 / 3;
    CHECK(difference + 2 * READS >= expected);
    CHECK(difference <= expected + 2 * READS);
    puts("7 hops more: right");
    return 0;
}
