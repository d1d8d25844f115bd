/* A number travels once around all UEs; each adds its rank. */
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int sum = 0, me, all;

    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    all = RCCE_num_ues();
    if (all < 2) {
        printf("A ring needs two UEs at least\n");
        return 1;
    }
    if (me == 0) {
        double start = RCCE_wtime();
        RCCE_send((char *)&sum, sizeof sum, 1);
        RCCE_recv((char *)&sum, sizeof sum, all - 1);
        double seconds = RCCE_wtime() - start;
        printf("sum of the ranks of %d UEs: %d\n", all, sum);
        fprintf(stderr, "once around in %.1f microseconds\n", seconds * 1e6);
    } else {
        RCCE_recv((char *)&sum, sizeof sum, me - 1);
        sum += me;
        RCCE_send((char *)&sum, sizeof sum, (me + 1) % all);
    }
    RCCE_finalize();
    return 0;
}
