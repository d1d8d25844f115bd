// A thread takes a lock that it holds already.
// cc: -O1 -g -fopenmp
// run: -n 1
// expect-exit: 75
// expect-stderr: lock-taken-twice: the main thread waits in omp_set_lock for `main\.lock`, which it holds itself
// expect-stderr: at main \(lock_taken_twice\.c:17\)
// expect-stderr: hint: unlock it first, or make it recursive \(PTHREAD_MUTEX_RECURSIVE, std::recursive_mutex, omp_nest_lock_t\); regions of `critical` do not nest

#include <omp.h>
#include <stdio.h>
int main(void)
{
    static omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#ifndef MENDED
    omp_set_lock(&lock);
#endif
    omp_unset_lock(&lock);
    return 0;
}
