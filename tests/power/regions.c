// Two passes through one region, and a mark that is none.
// run: -n 2
// cc: -O2 -lrcce
#include "RCCE.h"
#include "meter.h"

static volatile uint32_t *channel;

static void mark(uint32_t value)
{
    channel[RCCE_ue() * (SCC_HOST_CHANNEL_STRIDE / 4) + SCC_HOST_MARK / 4] =
        value;
}

static void work(int rounds)
{
    for (volatile int i = 0; i < rounds; i++)
        ;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    channel = page_of(SCC_HOST_CHANNEL);
    if (!channel)
        return 2;
    mark(7);
    for (int pass = 0; pass < 2; pass++) {
        mark(0xB0000005u);
        work(20000);
        mark(0xE0000005u);
        work(5000);
    }
    return RCCE_finalize();
}
