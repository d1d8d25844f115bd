// The program does not call RCCE_init.
// cc: -O1 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: core 00: RCCE_send failed at main \(no_init\.c:21\): RCCE is not initialized: RCCE_init was not called before
// expect-stderr: hint: call RCCE_init first

#include <stdio.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 5;
#ifdef MENDED
    RCCE_init(&argc, &argv);
#else
    (void)argc, (void)argv;
#endif
    if (RCCE_ue() == 0)
        RCCE_send((char *)&number, sizeof number, 1);
    else
        RCCE_recv((char *)&number, sizeof number, 0);
    printf("got %d\n", number);
    RCCE_finalize();
    return 0;
}
