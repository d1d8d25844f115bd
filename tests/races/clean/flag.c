// A flag by atomic operations and flushes.
// silence
#include "suite.h"

PROGRAM(flag)
{
    int data = 0, flag = 0;

#pragma omp parallel sections
    {
#pragma omp section
        {
            data = 5;
#pragma omp flush
#pragma omp atomic write
            flag = 1;
        }
#pragma omp section
        {
            int seen = 0;

            while (!seen) {
#pragma omp atomic read
                seen = flag;
            }
#pragma omp flush
            data++;
        }
    }
    return data != 6;
}
