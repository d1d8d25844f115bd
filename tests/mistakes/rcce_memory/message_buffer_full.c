// RCCE_malloc asks for more than the message buffer has.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: RCCE_put failed at main \(message_buffer_full\.c:21\): the target, with all its bytes, is not in a message buffer; RCCE_malloc of 65,536 bytes at main \(message_buffer_full\.c:18\) returned NULL: the message buffer has no room for them
// expect-stderr: hint: ask for less: the message buffer of a core is small \(8 KB on the SCC\)

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
#ifdef MENDED
    t_vcharp block = RCCE_malloc(32);
#else
    t_vcharp block = RCCE_malloc(64 * 1024);
#endif
    char text[32] = "text";
    RCCE_put(block, (t_vcharp)text, 32, RCCE_ue());
    RCCE_finalize();
    return 0;
}
