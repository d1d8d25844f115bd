// A multigrid solver: rows beside a thread's strip are others'.
// cc: -O2 -pthread -I${system}/programs
// run: -n 3 --tag none --check coherence -- 3 16 1
// expect-match: ^ocean 3 \d+ \d+:4\.596786e-01
// expect-stderr: no findings
#include <ocean.c>
