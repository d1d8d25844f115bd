// The program opens a connection to the host.
// cc: -O1 -g
// run: -n 1
// expect-exit: 0
// expect-stderr: rck: core 00: socket at main \(no_network\.c:\d+\) fails: the cores have no network of the host
// expect-stderr: hint: `-ltcpip` has sockets between the cores and to the host: rck guide tcpip

#include <sys/socket.h>

int main(void)
{
#ifndef MENDED
    socket(AF_INET, SOCK_STREAM, 0);
#endif
    return 0;
}
