// An MPB line in L1 stays as it was until CL1INVMB, which reaches all
// copies because MPBT lines are in L1 only, and leaves other lines alone.
// run: --cores 0,1 --tag none --until 50ms
// mutant: mpbt-in-l2
// expect-stdout:
// old without CL1INVMB
// new after CL1INVMB
// ordinary dirty line survived
#include "chip.h"

static void write_line(word *line, uint32_t value)
{
    for (int i = 0; i < LINE_WORDS; i++)
        line[i] = value; /* a whole line leaves the WCB at once */
}

int main(void)
{
    int core = my_core();
    word *mpb = map_mpb(1);
    start_turns();

    if (core == 0) {
        await(1, 1);
        write_line(mpb, 0x1111);
        reach(0, 1);
        await(1, 2);
        return 0;
    }
    word *ordinary = map_cached(SHARED_DRAM + 0x20000u, 4096);
    CHECK(ordinary[0] == 0);
    ordinary[0] = 0xD1127;
    CHECK(mpb[0] == 0 && mpb[7] == 0);
    reach(1, 1);
    await(0, 1);
    CHECK(mpb[0] == 0 && mpb[7] == 0);
    puts("old without CL1INVMB");
    cl1invmb();
    CHECK(mpb[0] == 0x1111 && mpb[7] == 0x1111);
    puts("new after CL1INVMB");
    CHECK(ordinary[0] == 0xD1127);
    puts("ordinary dirty line survived");
    reach(1, 2);
    return 0;
}
