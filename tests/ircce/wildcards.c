// Any source and any length, probes, queries, wait_any, cancel.
// run: -n 4 --tag none
// also: --kernel l4
// cc: -lircce -lrcce
// expect-stdout:
// any: 3 messages of 100 200 300 bytes, sum 6
// probed 3: 77 bytes
// cancelled 1, not twice -4, started 0 (-2)
// none left: -4
// length 5000, data right
#include "iRCCE.h"

static char data[6000];

static void collect(void)
{
    char buffer[3][400];
    iRCCE_RECV_REQUEST request[3], *done;
    iRCCE_WAIT_LIST list;
    int total = 0, lengths = 0;
    iRCCE_init_wait_list(&list);
    for (int i = 0; i < 3; i++) {
        iRCCE_irecv(buffer[i], iRCCE_ANY_LENGTH, iRCCE_ANY_SOURCE, &request[i]);
        iRCCE_add_to_wait_list(&list, NULL, &request[i]);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        iRCCE_wait_any(&list, NULL, &done);
        int source = iRCCE_get_source(done);
        total += done->privbuf[50] == source ? source : 1000;
        lengths += iRCCE_get_size(NULL, done) == 100 * source;
    }
    printf("any: %d messages of 100 200 300 bytes, sum %d\n", lengths, total);
    int from;
    iRCCE_probe(iRCCE_ANY_SOURCE, &from);
    RCCE_recv(data, 77, from);
    printf("probed %d: 77 bytes\n", from);
}

static void cancel(void)
{
    iRCCE_RECV_REQUEST request;
    iRCCE_SEND_REQUEST first, second;
    iRCCE_WAIT_LIST list;
    int test, started;
    iRCCE_irecv(data, 10, 1, &request);
    iRCCE_irecv_cancel(&request, &test);
    int again = iRCCE_irecv_cancel(&request, &started);
    iRCCE_isend(data, 5000, 2, &first);
    iRCCE_isend(data, 10, 1, &second);
    int reserved = iRCCE_isend_test(&second, NULL);
    int code = iRCCE_isend_cancel(&first, &started);
    if (reserved != iRCCE_RESERVED)
        puts("second message is not reserved");
    iRCCE_isend_cancel(&second, &test);
    printf("cancelled %d, not twice %d, started %d (%d)\n", test, again,
           started, code);
    iRCCE_init_wait_list(&list);
    printf("none left: %d\n", iRCCE_wait_any(&list, NULL, NULL));
    RCCE_barrier(&RCCE_COMM_WORLD);
    iRCCE_isend_wait(&first);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue();
    if (me == 0) {
        collect();
        for (int i = 0; i < 5000; i++)
            data[i] = (char)i;
        cancel();
    } else {
        iRCCE_SEND_REQUEST request;
        for (int i = 0; i < 400; i++)
            data[i] = (char)me;
        RCCE_barrier(&RCCE_COMM_WORLD);
        iRCCE_isend(data, 100 * me, 0, &request);
        iRCCE_isend_wait(&request);
        if (me == 3)
            RCCE_send(data, 77, 0);
        RCCE_barrier(&RCCE_COMM_WORLD);
        if (me == 2) {
            int bad = 0;
            iRCCE_irecv(data, iRCCE_ANY_LENGTH, 0, NULL);
            for (int i = 0; i < 5000; i++)
                bad += data[i] != (char)i;
            printf("length %d, data %s\n", iRCCE_get_length(),
                   bad ? "wrong" : "right");
        }
    }
    return RCCE_finalize();
}
