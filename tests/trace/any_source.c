/*
 * Receives from any source and of any length between receives that name
 * theirs, a multicast, and more messages after it: message k of UE u has
 * 100 * u + k bytes.
 */
#include <stdlib.h>

#include "iRCCE.h"

#define MESSAGES 4

static char data[1000];

static void collect(int all)
{
    iRCCE_RECV_REQUEST any[2];

    for (int i = 0; i < 2; i++)
        iRCCE_irecv(data, iRCCE_ANY_LENGTH, iRCCE_ANY_SOURCE, &any[i]);
    RCCE_barrier(&RCCE_COMM_WORLD);
    int left[RCCE_MAXNP] = {0};
    for (int i = 0; i < 2; i++) {
        iRCCE_irecv_wait(&any[i]);
        left[iRCCE_get_source(&any[i])]++;
    }
    for (int ue = 1; ue < all; ue++)
        while (left[ue]++ < MESSAGES)
            iRCCE_irecv(data, iRCCE_ANY_LENGTH, ue, NULL);
    iRCCE_msend(data, 8);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue(), all = RCCE_num_ues();
    if (me == 0) {
        collect(all);
    } else {
        RCCE_barrier(&RCCE_COMM_WORLD);
        for (int k = 0; k < MESSAGES; k++)
            RCCE_send(data, (size_t)(100 * me + k), 0);
        iRCCE_mrecv(data, 8, 0);
    }
    if (me == 0)
        RCCE_send(data, 16, 1);
    if (me == 1)
        RCCE_recv(data, 16, 0);
    RCCE_finalize();
    return 0;
}
