/* A loop that waits for a flag in an MPB asks its own L1D each time. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *flag = map(MPBT, MPB_0), *drain = flag + 8;
    if (RCCE_ue() == 1) {
        int rounds = 0;
        while (!flag[0] && rounds < 50000) {
            rounds++;
#ifdef MENDED
            cl1invmb();
#endif
            if (rounds == 1)
                reached(1);
        }
        printf("flag: %s\n", rounds < 50000 ? "seen" : "never seen");
    } else {
        await(1, 1);
        flag[0] = 1;
        drain[0] = 1;
    }
    return RCCE_finalize();
}
