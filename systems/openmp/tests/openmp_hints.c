// cc: -fopenmp -O1
// run: -q -n 2 --tag none
// expect-stdout:
// 6 2
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int sum = 0, depth = 0;

    omp_init_lock_with_hint(&lock, omp_lock_hint_contended);
    omp_init_nest_lock_with_hint(&nest, omp_sync_hint_speculative |
                                            omp_sync_hint_uncontended);
#pragma omp parallel for
    for (int n = 0; n < 4; n++) {
        omp_set_lock(&lock);
        sum += n;
        omp_unset_lock(&lock);
    }
    omp_set_nest_lock(&nest);
    depth = omp_test_nest_lock(&nest);
    printf("%d %d\n", sum, depth);
    return 0;
}
