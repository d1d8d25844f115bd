// A sum of a type that RCCE does not know.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_reduce failed at main \(unknown_type.c:20\): no such reduction type
// expect-stderr: hint: RCCE_INT, RCCE_LONG, RCCE_FLOAT, RCCE_DOUBLE

#include "RCCE.h"

#ifdef MENDED
enum { TYPE = RCCE_DOUBLE };
#else
enum { TYPE = 8 };
#endif

int RCCE_APP(int argc, char **argv)
{
    double one = 1, sum = 0;
    RCCE_init(&argc, &argv);
    RCCE_reduce((char *)&one, (char *)&sum, 1, TYPE, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    RCCE_finalize();
    return sum > 2;
}
