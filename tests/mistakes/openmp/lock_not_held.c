// The program releases a lock that no thread holds.
// cc: -O1 -g -fopenmp
// run: -n 1
// expect-exit: 0
// expect-stderr: omp_unset_lock at main \(lock_not_held\.c:18\): the thread does not hold the lock
// expect-stderr: hint: the thread that sets a lock unsets it, once

#include <omp.h>
#include <stdio.h>

int main(void)
{
    static omp_lock_t lock;
    omp_init_lock(&lock);
#ifdef MENDED
    omp_set_lock(&lock);
#endif
    omp_unset_lock(&lock);
    return 0;
}
