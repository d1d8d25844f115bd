// Items that overlap are reported.
// cc: -O2 -pthread
// run: -n 1 --tag none
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-exit: 1
// expect-stderr: crf_reconcile: items of 8 bytes, 4 bytes apart
#include "crf.h"

static int items[8];

int main(void)
{
    crf_reconcile(items, 4, 4, 8);
    return 0;
}
