// Keys go to places all over the array.
// cc: -O2 -pthread -I${system}/programs
// run: -n 3 --tag none --check coherence -- 3 1500
// expect-match: ^radix 3 \d+ sorted
// expect-stderr: no findings
#include <radix.c>
