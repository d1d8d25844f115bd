// Families near and far, data both ways, channels, break and kill by the transport original.
// cc: -O2 -I${system}/tests -lsvp -ltcpip
// run: -n 4 --tag none --env TCPIP_SOCKETS=bypass --check coherence -- 0 0
// expect-stdout:
// far: sum 4950, doubled 0 .. 198
// chain: 0 1 1 2 3 5 8 13 21 34
// break: found 37
// killed: yes
// left over: 0
// expect-stderr: no findings
#include <basics.c>
