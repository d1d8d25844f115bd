// A tree of pointers, replicated in four domains: the result of one core.
// cc: -O2 -DMOST=256 -I${system}/programs -lmesh -lrcce
// run: --cores 0,10,30,46,1 --tag none --check coherence -- 64 1
// expect-match: ^5 64 \d+ \d+ -1\.399429776$
// expect-stderr: no findings
#include <barnes.cpp>
