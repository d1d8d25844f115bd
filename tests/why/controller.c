/* All UEs read, past their caches, memory that lies at one controller. */
#include <RCCE.h>

enum { READS = 1500 };

static volatile int sum;

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    volatile int *shared = (volatile int *)RCCE_shmalloc(READS * sizeof(int));
    for (int at = 0; at < READS; at++)
        sum += shared[at];
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
