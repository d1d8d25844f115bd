// A transform whose threads read each other's rows.
// cc: -O2 -pthread -I${system}/programs
// run: -n 4 --tag none --check coherence -- 4 8
// expect-match: ^fft 4 \d+ lines:4
// expect-stderr: no findings
#include <fft.c>
