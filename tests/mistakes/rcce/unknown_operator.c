// The arguments type and operator of a reduction are exchanged.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_allreduce failed at main \(unknown_operator\.c:20\): no such reduction operator; the program did not look at the error that it returned
// expect-stderr: hint: RCCE_SUM, RCCE_MAX, RCCE_MIN, RCCE_PROD

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    float mine = 1, sum = 0;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    RCCE_allreduce((char *)&mine, (char *)&sum, 1, RCCE_FLOAT, RCCE_SUM,
                   RCCE_COMM_WORLD);
#else
    RCCE_allreduce((char *)&mine, (char *)&sum, 1, RCCE_SUM, RCCE_DOUBLE + 4,
                   RCCE_COMM_WORLD);
#endif
    printf("sum %g\n", sum);
    RCCE_finalize();
    return 0;
}
