// RCCE_put of a size that is no multiple of 32 bytes.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_put failed at main \(put_of_part_of_a_line.c:21\): the size is no multiple of 32 bytes, or 0
// expect-stderr: hint: RCCE_put and RCCE_get move whole lines of 32 bytes: round the size up

#include "RCCE.h"

#ifdef MENDED
enum { SIZE = 64 };
#else
enum { SIZE = 33 };
#endif

int RCCE_APP(int argc, char **argv)
{
    static char data[64] __attribute__((aligned(32)));
    RCCE_init(&argc, &argv);
    t_vcharp buffer = RCCE_malloc(sizeof data);
    RCCE_put(buffer, (t_vcharp)data, SIZE, 1);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
