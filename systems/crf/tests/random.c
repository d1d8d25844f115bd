// Random programs of threads end as on a coherent host.
// cc: -O2 -pthread -I${system}/programs
// run: -n 4 --tag none --check coherence -- 4 1 2
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-match: ^random 2 programs, \d+ values, 0 wrong, sum 5ed0a208
// expect-stderr: no findings
#include <random.c>
