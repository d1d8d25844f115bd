// All updates are atomic.
// silence
#include "suite.h"

PROGRAM(atomic)
{
    int sum = 0;

#pragma omp parallel for
    for (int n = 0; n < 8; n++) {
#pragma omp atomic
        sum += n;
    }
    return sum != 28;
}
