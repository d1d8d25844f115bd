/* Between barriers that have next to nothing between them: the barriers are the run. */
#include <RCCE.h>

static volatile int sum;

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    for (int step = 0; step < 300; step++) {
        for (int n = 0; n < 100; n++)
            sum += n;
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    RCCE_finalize();
    return 0;
}
