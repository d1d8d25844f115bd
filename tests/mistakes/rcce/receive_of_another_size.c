// The receive is a byte shorter than the send, and the program does not check the returned error.
// cc: -O0 -g -lrcce
// run: -n 2
// expect-exit: 0
// expect-stderr: rck: core 01: RCCE_recv failed at main \(receive_of_another_size.c:26\): 63 bytes are received from UE 0, which sends 64
// expect-stderr: the program did not look at the error that it returned \(1234325\)
// expect-stderr: hint: give both the same size

#include <stdio.h>

#include "RCCE.h"

#ifdef MENDED
enum { SHORTER = 0 };
#else
enum { SHORTER = 1 };
#endif

int RCCE_APP(int argc, char **argv)
{
    int sent[16] = {1, 2, 3}, got[16];
    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 0) {
        RCCE_send((char *)sent, sizeof sent, 1);
    } else {
        RCCE_recv((char *)got, sizeof got - SHORTER, 0);
        printf("got %d\n", got[0]);
    }
    RCCE_finalize();
    return 0;
}
