// RCCE has the message buffers: a program with both gets an error.
// cc: -O2 -ltcpip -lrcce
// run: -n 1 --env TCPIP_BUFFERS=mpb
// expect-exit: 1
// expect-stderr: tcpip: UE 0 \(core 0\): receive buffers in the MPB, which RCCE has
#include "RCCE.h"
#include "tcpip.h"

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    tcpip_rank();
    return 0;
}
