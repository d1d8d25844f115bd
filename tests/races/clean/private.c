// A scratch variable of each thread.
// silence
#include "suite.h"

PROGRAM(private)
{
    int scratch;
    static int square[64];

#pragma omp parallel for private(scratch)
    for (int n = 0; n < 64; n++) {
        scratch = n * n;
        square[n] = scratch;
    }
    return square[5] != 25;
}
