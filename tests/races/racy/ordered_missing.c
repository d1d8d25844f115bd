// An ordered loop whose body lies outside its ordered part.
// race: 11 11 `sum`
#include "suite.h"

PROGRAM(ordered_missing)
{
    int sum = 0;

#pragma omp parallel for ordered schedule(dynamic, 1)
    for (int n = 0; n < 8; n++) {
        sum += n;
#pragma omp ordered
        {
        }
    }
    return sum < 0;
}
