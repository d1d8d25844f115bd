// The ordered part of a loop.
// silence
#include "suite.h"

PROGRAM(ordered)
{
    int sum = 0;

#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int n = 0; n < 8; n++) {
#pragma omp ordered
        sum += n;
    }
    return sum != 28;
}
