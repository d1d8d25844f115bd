// Two libraries that claim one line of the message buffers are refused by name.
// run: -n 1 --tag none
// expect-exit: 1
// expect-stderr: scc: UE 0 \(core 0\): second needs lines 0xc to 0x13 of each core's message buffer, where first has 0xa to 0xc\nhint: leave one of the two
#include "scc/claim.h"

int main(void)
{
    scc_claim(SCC_MPB_LINE, SCC_ALONE, 10, 3, "first");
    scc_claim(SCC_MPB_LINE, SCC_ALONE, 13, 7, "second");
    scc_claim(SCC_MPB_LINE, SCC_ALONE, 12, 8, "second");
    return 0;
}
