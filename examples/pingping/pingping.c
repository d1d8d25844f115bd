/*
 * Two cores send to each other at the same time, with iRCCE's non-blocking
 * calls: RCCE_send from both sides would wait for ever.
 */
#include "iRCCE.h"

#include <string.h>

#define ROUNDS 10

static char out[4096], in[4096];

/* Both messages are under way at once; each core waits for both. */
static void exchange(int size, int other)
{
    iRCCE_SEND_REQUEST send;
    iRCCE_RECV_REQUEST recv;
    iRCCE_WAIT_LIST list;

    iRCCE_init_wait_list(&list);
    iRCCE_isend(out, size, other, &send);
    iRCCE_irecv(in, size, other, &recv);
    iRCCE_add_to_wait_list(&list, &send, &recv);
    iRCCE_wait_all(&list);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    if (RCCE_num_ues() != 2)
        return 1;
    int me = RCCE_ue();
    memset(out, 'a' + me, sizeof out);
    for (int size = 32; size <= (int)sizeof out; size *= 4) {
        exchange(size, 1 - me);
        double start = RCCE_wtime();
        for (int i = 0; i < ROUNDS; i++)
            exchange(size, 1 - me);
        double us = (RCCE_wtime() - start) / ROUNDS * 1e6;
        if (me == 0)
            printf("%4d bytes each way: %6.2f us, got '%c'\n", size, us,
                   in[size - 1]);
    }
    return RCCE_finalize();
}
