// One critical section.
// silence
#include "suite.h"

PROGRAM(critical)
{
    int sum = 0;

#pragma omp parallel for
    for (int n = 0; n < 8; n++) {
#pragma omp critical
        sum += n;
    }
    return sum != 28;
}
