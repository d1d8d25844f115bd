// The power meter, as the result file has it: the exact registers add up, and
// the rail's current is the mean of the last interval. Core 1 only works.
// run: -n 2 --tag none
// cc: -O2
// expect-match: ^sum 0, uW \d+, rail off by less than half a step$
#include "meter.h"

int main(void)
{
    uint64_t before[METERED], after[METERED], start, end, used = 0;
    int64_t sum = 0;

    volatile uint32_t *own = page_of(SCC_CRB_OWN);
    if (!open_meter() || !own)
        return 2;
    if (own[SCC_CRB_TILEID / 4] & 7) {
        for (volatile int i = 0; i < 60000; i++)
            ;
        return 0;
    }
    start = read_meter(before);
    for (volatile int i = 0; i < 30000; i++)
        ;
    end = read_meter(after);
    for (int n = 0; n < 9; n++)
        sum += (int64_t)after[n];
    sum -= (int64_t)after[9];
    used = after[9] - before[9];
    uint64_t uw = used * 1000 / (end - start);
    /* Held: the last conversion is not old enough for another one. */
    uint64_t rail = (uint64_t)fpga(0x8424) * 6249025 / 1000 * 3300 / 1000;
    int64_t off = (int64_t)(rail - uw);
    printf("sum %lld, uW %llu, rail off by %s\n", (long long)sum,
           (unsigned long long)uw,
           off > -10400 && off < 10400 ? "less than half a step" : "too much");
    printf("held %llu at %llu\n", (unsigned long long)after[9],
           (unsigned long long)end);
    return 0;
}
