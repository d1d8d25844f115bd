// RCCE_peek sees the beginning of a message again and again, without taking
// it; unmatched receives of variable size are built on it.
// run: -n 3 --tag none
// also-slow: --kernel l4
// cc: -lrcce
// expect-stdout:
// nothing yet: 1
// from 1: 300 bytes, sum 2775
// from 2: 700 bytes, sum 15225
// gone: 1 1, too long: 1234325
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    static int data[2000];
    int length = 0, open = 2;
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    if (me == 0) {
        printf("nothing yet: %d\n", RCCE_peek((char *)&length, 4, 1));
        RCCE_barrier(&RCCE_COMM_WORLD);
        for (int from = 1; open > 0; from = open == 2 ? 1 : 2) {
            if (RCCE_peek((char *)&length, sizeof length, from) ||
                RCCE_peek((char *)&length, sizeof length, from))
                continue;
            RCCE_recv((char *)data, (size_t)length, from);
            int sum = 0;
            for (int i = 1; i < length / 4; i++)
                sum += data[i];
            printf("from %d: %d bytes, sum %d\n", from, length, sum);
            open--;
        }
        printf("gone: %d %d, too long: %d\n", RCCE_peek((char *)data, 4, 1),
               RCCE_peek((char *)data, 4, 2), RCCE_peek((char *)data, 8000, 1));
    } else {
        length = me == 1 ? 300 : 700;
        data[0] = length;
        for (int i = 1; i < length / 4; i++)
            data[i] = i;
        RCCE_barrier(&RCCE_COMM_WORLD);
        RCCE_send((char *)data, (size_t)length, 0);
    }
    return RCCE_finalize();
}
