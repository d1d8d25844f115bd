// Tagged flags, atomic counters, multicast, put and get of odd sizes.
// run: -n 6 --tag none
// also-slow: --kernel l4
// cc: -lircce -lrcce
// expect-stdout:
// tag: 28 bytes with the flag, last 27
// counter: 60 increments, each value once
// multicast of 10000 bytes: 5 UEs right
// one of other size: 1234325 there and here, others have it
// put and get of 45 bytes: right, neighbours kept
// misuse: 1234325 1234324 1234322 -1234325 1234334
#include "iRCCE.h"

#include <string.h>

static char data[10000];

static int total(int mine)
{
    int sum = 0;
    RCCE_allreduce((char *)&mine, (char *)&sum, 1, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    return sum;
}

static void tagged(int me)
{
    RCCE_FLAG flag;
    char tag[32] = {0};
    iRCCE_flag_alloc_tagged(&flag);
    if (me == 1) {
        for (int i = 0; i < 28; i++)
            tag[i] = (char)i;
        iRCCE_flag_write_tagged(&flag, RCCE_FLAG_SET, 0, tag, 28);
    } else if (me == 0) {
        iRCCE_wait_tagged(flag, RCCE_FLAG_SET, tag, iRCCE_get_max_tagged_len());
        printf("tag: %d bytes with the flag, last %d\n",
               iRCCE_get_max_tagged_len(), tag[27]);
    }
}

static void counters(int me)
{
    static int seen[60];
    iRCCE_AIR *counter;
    int value, once = 0;
    iRCCE_atomic_alloc(&counter);
    int all[60] = {0};
    for (int i = 0; i < 10; i++) {
        iRCCE_atomic_inc(counter, &value);
        all[value % 60]++;
    }
    RCCE_reduce((char *)all, (char *)seen, 60, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    iRCCE_atomic_read(counter, &value);
    for (int i = 0; i < 60; i++)
        once += seen[i] == 1;
    if (me == 0)
        printf("counter: %d increments, each value %s\n", value,
               once == 60 ? "once" : "not once");
}

static void multicast(int me)
{
    for (int i = 0; i < 10000; i++)
        data[i] = (char)(me == 2 ? i * 5 : 0);
    int bad = iRCCE_mcast(data, 10000, 2);
    for (int i = 0; i < 10000; i++)
        bad += data[i] != (char)(i * 5);
    int right = total(bad == 0 && me != 2);
    if (me == 0)
        printf("multicast of 10000 bytes: %d UEs right\n", right);
    memset(data, me == 2 ? 'y' : 0, sizeof data);
    int error = me == 2 ? iRCCE_msend(data, 9000)
                        : iRCCE_mrecv(data, me == 4 ? 8000 : 9000, 2);
    right = total(me == 2 || me == 4 ? error == RCCE_ERROR_MESSAGE_LENGTH
                                     : !error && data[8999] == 'y');
    if (me == 4)
        printf("one of other size: %d there and here, %s have it\n", error,
               right == 6 ? "others" : "not all");
}

static void copies(int me)
{
    t_vcharp mpb = iRCCE_malloc(96);
    unsigned char mine[96], back[96];
    for (int i = 0; i < 96; i++)
        mine[i] = (unsigned char)(i + 1);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (me == 3) {
        iRCCE_put(mpb, mine, 96, 5);
        iRCCE_put(mpb + 7, mine, 45, 5);
        memset(back, 0, sizeof back);
        iRCCE_get(back, mpb + 7, 45, 5);
        int bad = memcmp(back, mine, 45) || back[45] != 0;
        iRCCE_get(back, mpb, 96, 5);
        bad |= back[6] != 7 || back[52] != 53;
        printf("put and get of 45 bytes: %s, neighbours kept\n",
               bad ? "wrong" : "right");
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char **argv)
{
    iRCCE_SEND_REQUEST request;
    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue();
    tagged(me);
    counters(me);
    multicast(me);
    copies(me);
    if (me == 0) {
        int test;
        int size = iRCCE_isend(data, -3, 1, &request);
        iRCCE_isend_test(&request, &test);
        printf("misuse: %d %d %d %d %d\n", size,
               iRCCE_isend(data, 4, 0, &request), iRCCE_irecv(NULL, 4, 1, NULL),
               -iRCCE_irecv(data, -7, 1, NULL) * test,
               iRCCE_iprobe(1, NULL, NULL));
    }
    return RCCE_finalize();
}
