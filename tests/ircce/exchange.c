// Every UE sends to every other at once, sizes from 1 byte to several
// chunks, in chunks and in pieces, into RCCE's and iRCCE's receives.
// run: --cores 0,1,17,30,47 --tag none
// also-slow: --kernel l4
// cc: -lircce -lrcce
// expect-stdout:
// 5 UEs, 6 rounds: 120 messages, 0 wrong
// blocking kinds in pairs: 0 wrong
#include "iRCCE.h"

#include <string.h>

#define UES 5
#define MAX 20000

static const int size_of[] = {1, 31, 32, 33, 4000, MAX};
static char out[UES][MAX], in[UES][MAX];

static void fill(char *data, int size, int seed)
{
    for (int i = 0; i < size; i++)
        data[i] = (char)(i * 3 + seed);
}

static int wrong(const char *data, int size, int seed)
{
    int count = 0;
    for (int i = 0; i < size; i++)
        count += data[i] != (char)(i * 3 + seed);
    return count;
}

static int round_trip(int me, int round)
{
    iRCCE_SEND_REQUEST send[UES];
    iRCCE_RECV_REQUEST recv[UES];
    iRCCE_WAIT_LIST list;
    int bad = 0;
    iRCCE_init_wait_list(&list);
    for (int n = 1; n < UES; n++) {
        int to = (me + n) % UES, from = (me + UES - n) % UES;
        int size = size_of[(round + to + me) % 6];
        fill(out[to], size, me * 7 + to);
        if ((round + n) % 2)
            iRCCE_isend(out[to], size, to, &send[to]);
        else
            iRCCE_issend(out[to], size, to, &send[to]);
        size = size_of[(round + from + me) % 6];
        memset(in[from], 0, (size_t)size);
        iRCCE_irecv(in[from], size, from, &recv[from]);
        iRCCE_add_to_wait_list(&list, &send[to], &recv[from]);
    }
    bad += iRCCE_wait_all(&list) != iRCCE_SUCCESS || list.first;
    for (int from = 0; from < UES; from++)
        if (from != me)
            bad += wrong(in[from], size_of[(round + from + me) % 6],
                         from * 7 + me);
    return bad;
}

/* Any blocking send into any blocking receive. */
static int pairs(int me)
{
    int bad = 0;
    for (int kind = 0; kind < 4 && me < 2; kind++) {
        fill(out[0], 9001, kind);
        memset(in[0], 0, MAX);
        if (me == 0 && kind < 2)
            RCCE_send(out[0], 9001, 1);
        else if (me == 0)
            iRCCE_ssend(out[0], 9001, 1);
        else if (kind % 2)
            RCCE_recv(in[0], 9001, 0);
        else
            iRCCE_srecv(in[0], 9001, 0);
        if (me == 1)
            bad += wrong(in[0], 9001, kind) + (in[0][9001] != 0);
    }
    return bad;
}

int RCCE_APP(int argc, char **argv)
{
    int bad = 0, sum;
    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue();
    for (int round = 0; round < 6; round++)
        bad += round_trip(me, round);
    RCCE_reduce((char *)&bad, (char *)&sum, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d UEs, 6 rounds: %d messages, %d wrong\n", UES,
               6 * UES * (UES - 1), sum);
    bad = pairs(me);
    if (me == 1)
        printf("blocking kinds in pairs: %d wrong\n", bad);
    return RCCE_finalize();
}
