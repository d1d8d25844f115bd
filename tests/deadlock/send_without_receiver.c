// UE 0 sends twice, and UE 1 receives once.
// cc: -O2 -g -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: send-without-receiver: UE 0 sends 9000 bytes to UE 1, which nobody receives: UE 1 ended with exit code 0

#include "RCCE.h"

static char data[9000];

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 0) {
        RCCE_send(data, sizeof data, 1);
        RCCE_send(data, sizeof data, 1);
    } else {
        RCCE_recv(data, sizeof data, 0);
    }
    return 0;
}
