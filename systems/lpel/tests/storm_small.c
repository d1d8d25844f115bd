// A small storm: `make lpel-storm` makes the large one.
// cc: -O2 -I${system}/programs -llpel -lrcce
// run: -n 6 --tag none --jitter 3 -- uncached 80 1
// expect-match: ^storm tasks [0-9]+ chains [0-9]+ cut [0-9]+ wrong 0$
// expect-match: ^left 0 blocks, 0 bytes, damaged 0$
#include <storm.c>
