// A scratch variable that is shared.
// race: 13 13 `scratch`
// may: 13 14 `scratch`
#include "suite.h"

PROGRAM(private_missing)
{
    int scratch = 0;
    static int square[64];

#pragma omp parallel for
    for (int n = 0; n < 64; n++) {
        scratch = n * n;
        square[n] = scratch;
    }
    return square[5] != 25 && square[5] == 0;
}
