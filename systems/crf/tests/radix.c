// Keys go to places all over the array.
// cc: -O2 -pthread -I${system}/programs
// run: -n 3 --tag none --check coherence -- 3 1500
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-match: ^radix 3 \d+ sorted
// expect-stderr: no findings
#include <radix.c>
