// The size of a message is computed below 0.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_send failed at main \(negative_size.c:22\): a message of -4 bytes
// expect-stderr: hint: a message has at least one byte: look at what computes its size

#include "RCCE.h"

#ifdef MENDED
enum { SIZE = 4 };
#else
enum { SIZE = -4 };
#endif

int RCCE_APP(int argc, char **argv)
{
    static char buffer[64];
    RCCE_init(&argc, &argv);
    volatile int size = SIZE;
    if (RCCE_ue() == 0)
        RCCE_send(buffer, (size_t)size, 1);
    else
        RCCE_recv(buffer, (size_t)size, 0);
    RCCE_finalize();
    return 0;
}
