// Misuse of iRCCE: each mistake gets the interface's code and text, and
// what follows works.
// run: -n 3 --tag none
// also-slow: --kernel l4
// cc: -lircce -lrcce
// expect-stdout:
// before iRCCE_init: 1234343 Communicator or RCCE is not initialized
// no such UE: 1234324 1234324 1234324 1234324 No such UE, or not for the caller
// send to itself: 1234324 1234324 1234324
// negative size: 1234325 1234325 1234325 1234325 1234325 Message length is wrong, or sizes differ
// no buffer: 1234323 1234322 1234323
// no bytes put: 1234325, no such UE: 1234324, outside: 1234322 1234323
// exhausted: none
// sizes differ: 1234325 and 1234325, buffer untouched
// cancelled: -3 taken back, then -4
// then all works: 42 42
#include "iRCCE.h"

#include <string.h>

static char data[9000];
static iRCCE_SEND_REQUEST sending;
static iRCCE_RECV_REQUEST receiving;

static const char *text(int code)
{
    static char words[RCCE_MAX_ERROR_STRING];
    int length;

    RCCE_error_string(code, words, &length);
    return words;
}

static void arguments(void)
{
    int from, code = iRCCE_isend(data, 4, 3, &sending);

    printf("no such UE: %d %d %d %d %s\n", code,
           iRCCE_irecv(data, 4, -2, &receiving), iRCCE_ssend(data, 4, 99),
           iRCCE_probe(7, &from), text(code));
    printf("send to itself: %d %d %d\n", iRCCE_isend(data, 4, 0, &sending),
           iRCCE_issend(data, 4, 0, &sending), iRCCE_ssend(data, 4, 0));
    code = iRCCE_isend(data, -1, 1, &sending);
    printf("negative size: %d %d %d %d %d %s\n", code,
           iRCCE_issend(data, -5, 1, &sending),
           iRCCE_irecv(data, -7, 1, &receiving), iRCCE_srecv(data, -7, 1),
           iRCCE_msend(data, -1), text(code));
    printf("no buffer: %d %d %d\n", iRCCE_isend(NULL, 4, 1, &sending),
           iRCCE_irecv(NULL, 4, 1, &receiving), iRCCE_msend(NULL, 4));
    t_vcharp own = (t_vcharp)data;
    printf("no bytes put: %d, no such UE: %d, outside: %d %d\n",
           iRCCE_put(own, own, 0, 1), iRCCE_put(own, own, 4, 3),
           iRCCE_put(own, own, 4, 1), iRCCE_get(own, own, 4, 1));
    printf("exhausted: %s\n", iRCCE_malloc(8192) ? "some" : "none");
}

/* UE 0 sends 40 bytes where UE 1 expects 44. */
static void sizes_differ(int me)
{
    int code = 0, other = 0;

    memset(data, me, 64);
    if (me == 0) {
        iRCCE_isend(data, 40, 1, &sending);
        code = iRCCE_isend_wait(&sending);
        RCCE_recv((char *)&other, sizeof other, 1);
        printf("sizes differ: %d and %d, buffer ", code, other & ~(1 << 30));
        puts(other & 1 << 30 ? "changed" : "untouched");
    } else if (me == 1) {
        iRCCE_irecv(data, 44, 0, &receiving);
        code = iRCCE_irecv_wait(&receiving);
        if (data[0] != 1)
            code |= 1 << 30;
        RCCE_send((char *)&code, sizeof code, 0);
    }
}

/* A message that waits behind another one can be taken back, once. */
static void cancelled(int me)
{
    iRCCE_SEND_REQUEST first, second;
    int taken = 0;

    if (me == 0) {
        iRCCE_isend(data, 40, 1, &first);
        int state = iRCCE_isend(data, 40, 2, &second);
        iRCCE_isend_cancel(&second, &taken);
        printf("cancelled: %d %s, then %d\n", state,
               taken ? "taken back" : "not taken back",
               iRCCE_isend_cancel(&second, &taken));
        RCCE_barrier(&RCCE_COMM_WORLD);
        iRCCE_isend_wait(&first);
    } else {
        RCCE_barrier(&RCCE_COMM_WORLD);
        if (me == 1)
            iRCCE_srecv(data, 40, 0);
    }
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), value = 42, got[2] = {0};
    int early = iRCCE_isend(data, 4, 1, &sending);
    if (me == 0)
        printf("before iRCCE_init: %d %s\n", early, text(early));
    iRCCE_init();
    if (me == 0)
        arguments();
    RCCE_barrier(&RCCE_COMM_WORLD);
    sizes_differ(me);
    RCCE_barrier(&RCCE_COMM_WORLD);
    cancelled(me);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me != 0)
        iRCCE_ssend((char *)&value, sizeof value, 0);
    for (int ue = 1; me == 0 && ue < 3; ue++)
        iRCCE_srecv((char *)&got[ue - 1], sizeof value, ue);
    if (me == 0)
        printf("then all works: %d %d\n", got[0], got[1]);
    return RCCE_finalize();
}
