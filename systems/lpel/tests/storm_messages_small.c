// A small storm of messages, past the stack: `make lpel-storm` makes the large one, over TCP.
// cc: -O2 -DCHAINS=20 -I${system}/programs -llpel -lrcce -ltcpip
// run: -n 5 --tag none --jitter 2 --env TCPIP_SOCKETS=bypass -- 100 1
// expect-match: ^storm tasks [0-9]+ chains [0-9]+ cut [0-9]+ wrong 0$
// expect-match: ^left 0 blocks, 0 bytes, damaged 0$
#include <storm_messages.c>
