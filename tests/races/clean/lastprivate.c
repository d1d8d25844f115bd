// The last value, and a start value.
// silence
#include "suite.h"

PROGRAM(lastprivate)
{
    int x = 0, offset = 3;
    static int a[64];

#pragma omp parallel for lastprivate(x) firstprivate(offset)
    for (int n = 0; n < 64; n++) {
        x = n;
        a[n] = n + offset;
    }
    return x != 63 || a[1] != 4;
}
