// Each receives from the one before it, and nobody has sent.
// cc: -O2 -g -lrcce
// run: -n 4
// expect-exit: 75
// expect-stderr: receive-ring: a ring of 4 receives.*UE 0 -> UE 3 -> UE 2 -> UE 1 -> UE 0
// expect-stderr: UE 2 \(core 02\) waits for UE 1: RCCE_recv of 64 bytes, at main \(ring_of_receives.c:21\), since \d
// expect-stderr: UE 0 --> UE 3 --> UE 2 --> UE 1
// expect-stderr: hint: let one of them send

#include "RCCE.h"

int main(int argc, char **argv)
{
    char text[64] = "";

    RCCE_init(&argc, &argv);
    int ue = RCCE_ue(), ues = RCCE_num_ues();
    int before = (ue + ues - 1) % ues, behind = (ue + 1) % ues;
    RCCE_barrier(&RCCE_COMM_WORLD);
    /* All wait here. */
    RCCE_recv(text, sizeof text, before);
    RCCE_send(text, sizeof text, behind);
    return RCCE_finalize();
}
