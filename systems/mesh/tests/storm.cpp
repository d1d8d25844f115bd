// Random operations on shared objects of all kinds: nothing lost or left.
// cc: -O2 -I${system}/programs -lmesh -lrcce
// run: --cores 30,7,44,12,25,1 --tag none --check coherence -- 300 4 7
// expect-match: ^added (\d+), found \1; left: 0 shared objects, 0 bytes, 0 objects
// expect-stderr: no findings
#include <storm.cpp>
