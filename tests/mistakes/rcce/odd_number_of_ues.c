// UEs work in pairs, and the run has an odd number of UEs.
// cc: -O1 -g -lrcce
// run: -n 3
// expect-exit: 0
// expect-stderr: core 02: RCCE_recv failed at main \(odd_number_of_ues\.c:26\): no such UE: 3 \(UEs are 0 to 2\); the program did not look at the error that it returned
// expect-stderr: hint: look at the first and the last UE, and at `rck run -n`

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), partner = me ^ 1;
#ifdef MENDED
    if (partner >= RCCE_num_ues()) {
        RCCE_finalize();
        return 0;
    }
#endif
    if (me & 1)
        RCCE_send((char *)&number, sizeof number, partner);
    else
        RCCE_recv((char *)&number, sizeof number, partner);
    RCCE_finalize();
    return 0;
}
