// The program calls omp_set_lock without omp_init_lock.
// cc: -O1 -g -fopenmp
// run: -n 1
// expect-exit: 0
// expect-stderr: omp_set_lock at main \(lock_not_initialised\.c:17\): the lock was never initialised
// expect-stderr: hint: call omp_init_lock first

#include <omp.h>
#include <stdio.h>

int main(void)
{
    static omp_lock_t lock;
#ifdef MENDED
    omp_init_lock(&lock);
#endif
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    return 0;
}
