// A threadprivate object that C++ begins by code: each thread has one.
// cc: -O2 -fopenmp
// run: -n 3 --tag none
// expect-stdout:
// began 3, own 6, first 0
#include <omp.h>
#include <stdio.h>

static int began;
struct Counter {
    int value;
    Counter() : value(1)
    {
#pragma omp atomic
        began++;
    }
};
static Counter counter;
#pragma omp threadprivate(counter)

int main()
{
    int own = 0;

    counter.value = 0;
#pragma omp parallel reduction(+ : own)
    {
        counter.value += omp_get_thread_num() ? 2 : 2;
        own += counter.value - (omp_get_thread_num() ? 1 : 0);
    }
    printf("began %d, own %d, first %d\n", began, own, counter.value - 2);
    return 0;
}
