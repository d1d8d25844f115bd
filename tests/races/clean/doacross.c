// Iterations wait for the one before.
// silence
#include "suite.h"

PROGRAM(doacross)
{
    static int a[9];

#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int n = 1; n < 9; n++) {
#pragma omp ordered depend(sink : n - 1)
        a[n] = a[n - 1] + 1;
#pragma omp ordered depend(source)
    }
    return a[8] != 8;
}
