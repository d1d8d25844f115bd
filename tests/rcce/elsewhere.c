// A few UEs on a chip that is not the SCC: buffers and registers are
// elsewhere, and RCCE finds them.
// cc: -O2 -lrcce
// run: --chip scc-128 --cores 0,17,127
// expect-stdout:
// [127] UE 2 of 3 got 42
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int value = 7, sum = 0;

    RCCE_init(&argc, &argv);
    RCCE_acquire_lock(1);
    RCCE_release_lock(1);
    for (int n = 0; n < 2; n++) {
        RCCE_allreduce((char *)&value, (char *)&sum, 1, RCCE_INT, RCCE_SUM,
                       RCCE_COMM_WORLD);
        value = sum / 3 + 7 - sum % 3;
    }
    RCCE_bcast((char *)&sum, sizeof sum, 1, RCCE_COMM_WORLD);
    if (RCCE_ue() == 2)
        printf("UE %d of %d got %d\n", RCCE_ue(), RCCE_num_ues(), sum);
    RCCE_finalize();
    return 0;
}
