// 48 cores pass sums around a ring, in blocks from a byte to more than the
// buffer holds.
// run: -n 48 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// 1 bytes: right
// 31 bytes: right
// 32 bytes: right
// 200 bytes: right
// 5000 bytes: right
#include "RCCE.h"

#include <string.h>

static const int sizes[] = {1, 31, 32, 200, 5000};
static unsigned char block[5000], got[5000];

int RCCE_APP(int argc, char **argv)
{
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue(), all = RCCE_num_ues();
    int next = (me + 1) % all, last = (me + all - 1) % all;

    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        size_t bytes = (size_t)sizes[s];
        /* Each UE adds its rank to every 16th byte on the way round. */
        memset(got, 0, sizeof got);
        if (me == 0) {
            for (size_t i = 0; i < bytes; i++)
                block[i] = (unsigned char)i;
            RCCE_send((char *)block, bytes, next);
            RCCE_recv((char *)got, bytes, last);
        } else {
            RCCE_recv((char *)got, bytes, last);
            for (size_t i = 0; i < bytes; i += 16)
                got[i] = (unsigned char)(got[i] + me);
            RCCE_send((char *)got, bytes, next);
        }
        if (me != 0)
            continue;
        int wrong = 0, ranks = all * (all - 1) / 2;
        for (size_t i = 0; i < bytes; i++)
            wrong +=
                got[i] != (unsigned char)(i + (i % 16 ? 0 : (size_t)ranks));
        printf("%d bytes: %s\n", sizes[s], wrong ? "wrong" : "right");
    }
    return RCCE_finalize();
}
