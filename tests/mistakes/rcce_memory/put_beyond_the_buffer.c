// RCCE_put of more bytes than a message buffer has.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_put failed at main \(put_beyond_the_buffer.c:21\): the target, with all its bytes, is not in a message buffer
// expect-stderr: hint: the target of RCCE_put comes from RCCE_malloc, and has room for the size

#include "RCCE.h"

#ifdef MENDED
enum { SIZE = 64 };
#else
enum { SIZE = 32768 };
#endif

int RCCE_APP(int argc, char **argv)
{
    static char data[32768] __attribute__((aligned(32)));
    RCCE_init(&argc, &argv);
    t_vcharp buffer = RCCE_malloc(64);
    RCCE_put(buffer, (t_vcharp)data, SIZE, 1);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
