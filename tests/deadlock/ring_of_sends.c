// Each sends first: RCCE_send returns when the message is fetched.
// cc: -O2 -g -lrcce
// run: --cores 5,1,40
// expect-exit: 75
// expect-stderr: send-ring: a ring of 3 sends.*UE 0 -> UE 1 -> UE 2 -> UE 0
// expect-stderr: UE 0 \(core 05\) waits for UE 1: RCCE_send of 100 bytes, at pass \(ring_of_sends.c:12\)

#include "RCCE.h"

__attribute__((noinline)) static void pass(char *text, int ue, int ues)
{
    RCCE_send(text, 100, (ue + 1) % ues);
    RCCE_recv(text, 100, (ue + ues - 1) % ues);
}

int main(int argc, char **argv)
{
    char text[100] = "";

    RCCE_init(&argc, &argv);
    pass(text, RCCE_ue(), RCCE_num_ues());
    return RCCE_finalize();
}
