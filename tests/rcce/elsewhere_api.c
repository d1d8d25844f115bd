// SCC_API.h has the SCC's addresses: elsewhere such a program gets an error.
// cc: -O2 -lrcce
// run: --chip scc-128 -n 1
// expect-exit: 255
// expect-stderr: SCC_API: this chip is not the SCC
#include "SCC_API.h"

int main(void)
{
    InitAPI(0);
    return 0;
}
