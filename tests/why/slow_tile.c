/* Equal work everywhere, but UE 0 lowers the clock of the tiles around it to a third. */
#include <RCCE.h>

static volatile double sum;

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int divider;
    if (RCCE_ue() == 0 &&
        RCCE_set_frequency_divider(9, &divider) != RCCE_SUCCESS)
        return 1;
    for (int step = 0; step < 4; step++) {
        for (int n = 0; n < 20000; n++)
            sum += n * 0.5;
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    RCCE_finalize();
    return 0;
}
