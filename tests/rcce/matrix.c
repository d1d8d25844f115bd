/*
 * matrix.c: messages whose matrix is known: UE i sends i + 1 messages of
 * 10 (i + 1) bytes to the next one, in four ways in turn, and one of 5,000
 * bytes to UE 0; then collectives and calls that are refused. test_messages.py
 * counts them from outside.
 */
#include "iRCCE.h"

#include "RCCE_collectives.h"

#include <string.h>

static char out[8192], in[8192];

static void send(int how, int size, int dest)
{
    iRCCE_SEND_REQUEST request;

    if (how == 0)
        RCCE_send(out, (size_t)size, dest);
    else if (how == 1)
        iRCCE_ssend(out, size, dest);
    else if (how == 2) {
        iRCCE_isend(out, size, dest, &request);
        iRCCE_isend_wait(&request);
    } else {
        iRCCE_issend(out, size, dest, &request);
        iRCCE_isend_wait(&request);
    }
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue(), ues = RCCE_num_ues();
    int before = (me + ues - 1) % ues, sum;

    /* The core's own receives come first, so that nobody waits in a circle. */
    iRCCE_RECV_REQUEST requests[RCCE_MAXNP];
    for (int i = 0; i <= before; i++)
        iRCCE_irecv(in, 10 * (before + 1), before, &requests[i]);
    for (int i = 0; i <= me; i++)
        send(i % 4, 10 * (me + 1), (me + 1) % ues);
    for (int i = 0; i <= before; i++)
        iRCCE_irecv_wait(&requests[i]);

    iRCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 0)
        for (int ue = 1; ue < ues; ue++)
            RCCE_recv(in, 5000, ue);
    else
        RCCE_send(out, 5000, 0);
    RCCE_bcast(out, 100, 1, RCCE_COMM_WORLD);
    RCCE_allreduce((char *)&me, (char *)&sum, 1, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    RCCE_coll_bcast(out, 640, 0, RCCE_COMM_WORLD);

    RCCE_send(out, 4, me);
    RCCE_send(out, 4, ues);
    iRCCE_isend(out, -1, (me + 1) % ues, NULL);
    return RCCE_finalize();
}
