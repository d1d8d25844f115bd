// Six cores, all to all, random sizes, in the MPB.
// cc: -O2 -I${system}/programs -ltcpip
// run: -n 6 --tag none --env TCPIP_SOCKETS=bypass --env TCPIP_BUFFERS=mpb -- 6000 3
// expect-match: ^[0-9]+ bytes from 5 cores: all right
#include <storm.c>
