// A program without the stack says what is missing.
// cc: -O2 -ltcpip
// run: -n 1
// expect-exit: 1
// expect-stderr: tcpip: UE 0 \(core 0\): this program has no TCP/IP stack\nhint: make tcpip
#include <sys/socket.h>

int main(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) < 0;
}
