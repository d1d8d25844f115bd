// Families by lot, some killed, some that break: nothing lost, doubled or left over.
// cc: -O2 -I${system}/programs -lsvp
// run: --cores 11,3,40,0,25 --jitter 5 --tag none --check coherence -- remap 0 60 3
// expect-match: ^families 60 ran \d+ killed [1-9]\d* broken [1-9]\d* wrong 0 left over 0$
// expect-stderr: no findings
#include <storm.c>
