// A partly filled write-combine line is invisible until it is pushed out,
// however long one waits; a full line leaves by itself.
// run: --cores 0,1 --tag none --until 50ms
// mutant: wcb-drains-by-itself
// mutant: flag-before-data
// expect-stdout:
// a partial line is invisible to the other core
// a store to another line pushes it, byte by byte enabled
// a full line needs no push
#include "chip.h"

/* The other core's view. No system call lies between the steps: the kernel
 * uses MPBT memory too and its stores would push ours. */
static void watch(word *mpb)
{
    reach(1, 1);
    await(0, 1);
    for (int i = 0; i < 1000; i++) {
        cl1invmb();
        CHECK(mpb[0] == 0);
    }
    reach(1, 2);
    await(0, 2);
    cl1invmb();
    CHECK(mpb[0] == 0xAAAA && mpb[1] == 0 && mpb[2] == 0xCCCC);
    reach(1, 3);
    await(0, 3);
    cl1invmb();
    CHECK(mpb[16] == 5 && mpb[23] == 5);
    puts("a partial line is invisible to the other core");
    puts("a store to another line pushes it, byte by byte enabled");
    puts("a full line needs no push");
}

int main(void)
{
    int core = my_core();
    word *mpb = map_mpb(1);
    start_turns();

    if (core == 1) {
        watch(mpb);
        return 0;
    }
    await(1, 1);
    mpb[0] = 0xAAAA;
    mpb[2] = 0xCCCC;
    cl1invmb();
    uint32_t own_view = mpb[0]; /* reads do not look into the WCB */
    reach(0, 1);
    await(1, 2);
    mpb[8] = 1; /* another line */
    reach(0, 2);
    await(1, 3);
    for (int i = 16; i < 24; i++)
        mpb[i] = 5;
    reach(0, 3);
    CHECK(own_view == 0);
    return 0;
}
