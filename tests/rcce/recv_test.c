// RCCE_recv_test says no before the message is sent and takes it after.
// run: -n 2 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// not yet
// taken: 42
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    int number = 42, done = 0;

    if (RCCE_init(&argc, &argv))
        return 1;
    if (RCCE_ue() == 0) {
        RCCE_recv_test((char *)&number, sizeof number, 1, &done);
        puts(done ? "too early" : "not yet");
        number = 0;
        RCCE_barrier(&RCCE_COMM_WORLD);
        while (!done)
            RCCE_recv_test((char *)&number, sizeof number, 1, &done);
        printf("taken: %d\n", number);
    } else {
        RCCE_barrier(&RCCE_COMM_WORLD);
        RCCE_send((char *)&number, sizeof number, 0);
    }
    return RCCE_finalize();
}
