// Messages of awkward sizes from and to odd addresses, sent and received in
// every way: right, and nothing beside them touched.
// run: --cores 30,7 --tag none
// also-slow: --kernel l4
// cc: -lircce -lrcce
// expect-stdout:
// 768 messages, 0 wrong
#include "iRCCE.h"

#include <string.h>

#define LONGEST 20001
#define CANARY 0x5a

static const int sizes[] = {1,    2,    3,    31,   32,   33,   63,   65,
                            4063, 4064, 4097, 8159, 8160, 8192, 8193, LONGEST};
static char out[LONGEST + 64], in[LONGEST + 64];

static void send(int way, char *data, int size)
{
    iRCCE_SEND_REQUEST request;

    if (way == 0) {
        RCCE_send(data, (size_t)size, 1);
    } else if (way == 1) {
        iRCCE_ssend(data, size, 1);
    } else {
        (way == 2 ? iRCCE_isend : iRCCE_issend)(data, size, 1, &request);
        iRCCE_isend_wait(&request);
    }
}

static void receive(int way, char *data, int size)
{
    iRCCE_RECV_REQUEST request;
    int done = 0;

    if (way == 0) {
        RCCE_recv(data, (size_t)size, 0);
    } else if (way == 1) {
        iRCCE_srecv(data, size, 0);
    } else {
        (way == 2 ? iRCCE_irecv : iRCCE_isrecv)(data, size, 0, &request);
        while (!done)
            iRCCE_irecv_test(&request, &done);
    }
}

static int is_wrong(int at, int size, int round)
{
    int wrong = 0;

    for (int i = 0; i < LONGEST + 64; i++) {
        int inside = i >= at && i < at + size;
        wrong += in[i] != (inside ? (char)((i - at) * 7 + round) : CANARY);
    }
    return wrong;
}

int RCCE_APP(int argc, char **argv)
{
    int count = 0, wrong = 0, n = sizeof sizes / sizeof *sizes;

    RCCE_init(&argc, &argv);
    iRCCE_init();
    /* 12 pairs of offsets, 4 ways: each way of sending meets all others. */
    for (int round = 0; round < 48; round++)
        for (int s = 0; s < n; s++, count++) {
            int size = sizes[s], from = 1 + round % 4 * 5, to = 1 + round % 3;
            if (RCCE_ue() == 0) {
                for (int i = 0; i < size; i++)
                    out[from + i] = (char)(i * 7 + round);
                send(round / 12, out + from, size);
            } else {
                memset(in, CANARY, (size_t)size + 64);
                if (s == 0)
                    memset(in, CANARY, sizeof in);
                receive((round + s) % 4, in + to, size);
                wrong += is_wrong(to, size, round) != 0;
                memset(in, CANARY, (size_t)size + 64);
            }
        }
    if (RCCE_ue() == 1)
        printf("%d messages, %d wrong\n", count, wrong);
    return RCCE_finalize();
}
