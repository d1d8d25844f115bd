// Buffers off-die, cached in L1: no read is stale.
// cc: -O2 -I${system}/programs -ltcpip
// run: -n 3 --tag none --check coherence --env TCPIP_SOCKETS=bypass --env TCPIP_BUFFERS=l1 -- 6000 4
// expect-match: ^[0-9]+ bytes from 2 cores: all right
// expect-stderr: no findings
#include <storm.c>
