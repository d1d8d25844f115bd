/* One UE has four times the work of the others between two barriers. */
#include <RCCE.h>
#include <stdio.h>

static volatile double sum;

static void work(int rounds)
{
    for (int n = 0; n < rounds; n++)
        sum += n * 0.5;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    for (int step = 0; step < 4; step++) {
        work(RCCE_ue() == 2 ? 80000 : 20000);
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    RCCE_finalize();
    return 0;
}
