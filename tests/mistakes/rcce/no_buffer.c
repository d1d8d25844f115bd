// The send buffer is a null pointer.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 00: RCCE_send failed at main \(no_buffer\.c:21\): the source buffer is missing or misplaced; the program did not look at the error that it returned
// expect-stderr: hint: pass memory that holds the data

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    char *data = NULL;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    static char room[64];
    data = room;
#endif
    if (RCCE_ue() == 0)
        RCCE_send(data, 64, 1);
    else
        RCCE_recv(data, 64, 0);
    RCCE_finalize();
    return 0;
}
