// With bit flags a message does not carry its size: UE 1 expects more than comes.
// cc: -O2 -g -DGORY -DSINGLEBITFLAGS -lrcce
// run: -n 2
// expect-exit: 75
// expect-stderr: receive-without-sender: UE 1 receives 3000 bytes from UE 0, which nobody sends

#include "RCCE.h"

#define CHUNK 1024

static char data[4000];

int main(int argc, char **argv)
{
    RCCE_FLAG sent, ready;

    RCCE_init(&argc, &argv);
    t_vcharp buffer = RCCE_malloc(CHUNK);
    RCCE_flag_alloc(&sent);
    RCCE_flag_alloc(&ready);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0)
        RCCE_send(data, buffer, CHUNK, &ready, &sent, 2000, 1);
    else
        RCCE_recv(data, buffer, CHUNK, &ready, &sent, 3000, 0);
    return 0;
}
