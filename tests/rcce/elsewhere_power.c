// Voltage domains are those of the SCC: elsewhere such a program gets an error.
// cc: -O2 -lrcce -DRC_POWER_MANAGEMENT
// run: --chip scc-128 -n 1
// expect-stdout:
// no
// expect-stderr: RCCE: this chip is not the SCC: build .* RC_POWER_MANAGEMENT
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    puts(RCCE_init(&argc, &argv) == RCCE_ERROR_NUM_UES ? "no" : "yes");
    return 0;
}
