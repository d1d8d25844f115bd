/* The reader has the line of a message in L1D from before. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *message = map(MPBT, MPB_0), *drain = message + 8;
    if (RCCE_ue() == 1) {
        printf("before: %u\n", message[0]);
        reached(1);
        await(0, 2);
#ifdef MENDED
        cl1invmb();
#endif
        printf("after: %u\n", message[0]);
    } else {
        await(1, 1);
        message[0] = 42;
        drain[0] = 1;
        reached(2);
    }
    return RCCE_finalize();
}
