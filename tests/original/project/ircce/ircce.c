/* Everybody sends to everybody at once; what comes is awaited in any order. */
#include <stdio.h>
#include <string.h>
#include "iRCCE.h"

#define BYTES 600

static char out[RCCE_MAXNP][BYTES], in[RCCE_MAXNP][BYTES];
static iRCCE_SEND_REQUEST sends[RCCE_MAXNP];
static iRCCE_RECV_REQUEST recvs[RCCE_MAXNP];

int RCCE_APP(int argc, char **argv)
{
    iRCCE_WAIT_LIST list;
    iRCCE_SEND_REQUEST *sent;
    iRCCE_RECV_REQUEST *received;
    int me, ues, ue, i, left, bad = 0, number = 0, done = 0;

    RCCE_init(&argc, &argv);
    iRCCE_init();
    me = RCCE_ue();
    ues = RCCE_num_ues();
    iRCCE_init_wait_list(&list);
    for (ue = 0; ue < ues; ue++) {
        if (ue == me)
            continue;
        memset(out[ue], 16 * me + ue, BYTES);
        if (iRCCE_irecv(in[ue], BYTES, ue, &recvs[ue]) != iRCCE_SUCCESS)
            iRCCE_add_to_wait_list(&list, NULL, &recvs[ue]);
    }
    for (ue = 0; ue < ues; ue++)
        if (ue != me &&
            iRCCE_isend(out[ue], BYTES, ue, &sends[ue]) != iRCCE_SUCCESS)
            iRCCE_add_to_wait_list(&list, &sends[ue], NULL);
    for (left = 2 * (ues - 1); left > 0 && list.first; left--) {
        iRCCE_wait_any(&list, &sent, &received);
        number += received ? iRCCE_get_size(NULL, received) : 0;
    }
    for (ue = 0; ue < ues; ue++)
        for (i = 0; i < BYTES && ue != me; i++)
            bad += in[ue][i] != (char)(16 * ue + me);
    iRCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_reduce((char *)&bad, (char *)&done, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("ircce: %s\n", done ? "FAILED" : "passed");
    RCCE_finalize();
    return 0;
}
