// The program sends 0 bytes.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 00: RCCE_send failed at main \(empty_message\.c:21\): the message has 0 bytes; the program did not look at the error that it returned
// expect-stderr: hint: a message has at least one byte: look at its size

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    char text[8] = "text";
    size_t length = 0;
    RCCE_init(&argc, &argv);
#ifdef MENDED
    length = sizeof text;
#endif
    if (RCCE_ue() == 0)
        RCCE_send(text, length, 1);
    else
        RCCE_recv(text, length, 0);
    RCCE_finalize();
    return 0;
}
