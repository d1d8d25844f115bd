// Data of sizes that fill no line, there and back, through every transport that maps memory.
// cc: -O2 -I${system}/programs -lsvp
// run: -n 4 --tag none --check coherence -- copy 1 2 4 5000 3
// expect-match: (?m)^2916 \d+$
// expect-stderr: no findings
#include <pingpong.c>
