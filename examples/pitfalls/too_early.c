/* CL1INVMB before the wait, where it cannot help: the line comes back old. */
#include "pitfalls.h"

int RCCE_APP(int argc, char **argv)
{
    begin(&argc, &argv);
    word *box = map(MPBT, MPB_0), *drain = box + 8;
    if (RCCE_ue() == 1) {
        cl1invmb();
        uint32_t expected = box[1] + 1; /* the line of box[0], too */
        reached(1);
        await(0, 2);
#ifdef MENDED
        cl1invmb();
#endif
        printf("box: %u, expected %u\n", box[0], expected);
    } else {
        await(1, 1);
        box[0] = 1;
        drain[0] = 1;
        reached(2);
    }
    return RCCE_finalize();
}
