/* A message that is shorter than a line stays in the write-combine buffer. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *message = map(MPBT, MPB_0);
    if (RCCE_ue() == 0) {
        message[0] = 42;
#ifdef MENDED
        message[8] = 0; /* a store to another line drains the buffer */
#endif
        reached(1);
        await(1, 1);
    } else {
        await(0, 1);
        cl1invmb();
        printf("received: %u\n", message[0]);
        reached(1);
    }
    return RCCE_finalize();
}
