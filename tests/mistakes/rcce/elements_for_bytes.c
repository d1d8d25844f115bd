// A reduction is given a number of bytes, where it takes a number of elements.
// cc: -O1 -g -lrcce
// run: -n 2 --check memory
// expect-exit: 0
// expect-stderr: beyond-block: core \d .* behind a block of 80 bytes
// expect-stderr: hint: let elements_for_bytes\.c:\d+ stay within the block, or allocate more in elements_for_bytes\.c:\d+

#include <stdlib.h>

#include "RCCE.h"

#ifdef MENDED
enum { COUNT = 10 };
#else
enum { COUNT = 80 };
#endif

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    double *in = calloc(10, sizeof *in), *out = calloc(10, sizeof *out);
    RCCE_allreduce((char *)in, (char *)out, COUNT, RCCE_DOUBLE, RCCE_SUM,
                   RCCE_COMM_WORLD);
    free(in);
    free(out);
    RCCE_finalize();
    return 0;
}
