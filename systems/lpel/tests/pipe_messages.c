// pipe.c with the variant LPEL_MESSAGES, its sockets past the stack.
// cc: -O2 -DVARIANT=LPEL_MESSAGES -I${system}/tests -llpel -lrcce -ltcpip
// run: -n 4 --tag none --env TCPIP_SOCKETS=bypass
// expect-stdout:
// sum 19900 of 200, last 199
// blocks 0 damaged 0
#include <pipe.c>
