// Random programs of threads end as on a coherent host.
// cc: -O2 -pthread -I${system}/programs
// run: -n 5 --tag none --check coherence -- 5 1 3
// expect-match: ^random 3 programs, 8664 values, 0 wrong
// expect-stderr: no findings
#include <random.c>
