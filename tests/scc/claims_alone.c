// A register that others hold for a moment is no seat of a barrier.
// cc: -lrcce_sync -lircce -lrcce
// run: -n 2 --tag none
// expect-exit: 1
// expect-stderr: scc: UE 0 \(core 0\): RCCE_tas_barrier needs cores 0x0 to 0x0 of the test-and-set registers, where others has 0x0 to 0x2f
#include "RCCE.h"
#include "RCCE_sync.h"
#include "scc/claim.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    scc_claim(SCC_LOCK, SCC_TOGETHER, 0, 48, "others");
    return RCCE_tas_barrier();
}
