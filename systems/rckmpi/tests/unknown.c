// A channel that is not there is refused by one of the ranks.
// cc: -O2 -lrckmpi -lrcce
// run: -n 3 --tag none --env RCKMPI_CHANNEL=sockets
// expect-exit: 64
// expect-stderr: ^rckmpi: unknown channel 'sockets'\nhint: RCKMPI_CHANNEL is original, improved or bells\n(?!.*unknown)
#include "rckmpi.h"

int main(void)
{
    rckmpi_open(NULL);
    return 0;
}
