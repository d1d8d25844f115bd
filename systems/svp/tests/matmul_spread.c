// Matrices split on several places: the product is right by mapped memory, and the checker finds nothing.
// cc: -O2 -I${system}/programs -lsvp
// run: -n 7 --tag none --check coherence -- copy 2 32 spread 4
// expect-match: ^spread 32 \d+ right$
// expect-stderr: no findings
#include <matmul.c>
