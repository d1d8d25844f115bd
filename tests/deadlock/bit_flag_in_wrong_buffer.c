// UE 0 means to raise the bit flag of UE 1, but writes it for UE 2.
// cc: -O2 -g -DGORY -DSINGLEBITFLAGS -lrcce
// run: -n 3
// expect-exit: 75
// expect-stderr: flag-elsewhere: UE 1 waits until its flag `ready` \(bit \d+ of the line at offset 0x[0-9a-f]+ of its message buffer\) is 1; it is 0. The same flag is 1 in the message buffer of UE 2
// expect-stderr: UE 1 \(core 01\) waits: RCCE_wait_until, at main \(bit_flag_in_wrong_buffer.c:20\), since \d

#include "RCCE.h"

RCCE_FLAG ready;

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    RCCE_flag_alloc(&ready);
    if (RCCE_ue() == 0)
        RCCE_flag_write(&ready, RCCE_FLAG_SET, 2);
    if (RCCE_ue() == 1)
        /* For ever. */
        RCCE_wait_until(ready, RCCE_FLAG_SET);
    return 0;
}
