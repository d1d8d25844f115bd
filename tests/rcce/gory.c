// The gory interface: put and get with flags, one byte, gory send and recv
// with a small buffer, and data that is there when its flag is.
// run: -n 2 --tag none
// also-slow: --kernel l4
// cc: -DGORY -lrcce
// expect-stdout:
// 200 puts, every flag with its data
// get: right
// one byte: right
// gory send in chunks of 64: right
#include "RCCE.h"

#include <string.h>

#define ROUNDS 200
#define BYTES 512

static unsigned char private_copy[BYTES];

static int ping(t_vcharp data, RCCE_FLAG *full, RCCE_FLAG *empty)
{
    int me = RCCE_ue(), wrong = 0;
    for (int round = 0; round < ROUNDS; round++) {
        if (me == 0) {
            memset(private_copy, round, BYTES);
            RCCE_put(data, private_copy, BYTES, 1);
            RCCE_flag_write(full, RCCE_FLAG_SET, 1);
            RCCE_wait_until(*empty, RCCE_FLAG_SET);
            RCCE_flag_write(empty, RCCE_FLAG_UNSET, 0);
        } else {
            RCCE_wait_until(*full, RCCE_FLAG_SET);
            RCCE_flag_write(full, RCCE_FLAG_UNSET, 1);
            RCCE_get(private_copy, data, BYTES, 1);
            for (int i = 0; i < BYTES; i++)
                wrong += private_copy[i] != (unsigned char)round;
            RCCE_flag_write(empty, RCCE_FLAG_SET, 0);
        }
    }
    return wrong;
}

static void one_byte(t_vcharp data)
{
    unsigned char letter = 'R', got = 0, beside = 0;
    if (RCCE_ue() == 1)
        RCCE_put_char(data + 5, &letter, 1);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_ue() == 0) {
        RCCE_get_char(&got, data + 5, 1);
        RCCE_get_char(&beside, data + 6, 1);
        printf("one byte: %s\n",
               got == 'R' && beside == ROUNDS - 1 ? "right" : "wrong");
    }
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_FLAG full, empty;
    static char text[1000];

    setvbuf(stdout, NULL, _IOLBF, 0); /* both UEs print, line by line */
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    t_vcharp data = RCCE_malloc(BYTES);
    if (!data || RCCE_flag_alloc(&full) || RCCE_flag_alloc(&empty))
        return 2;
    int wrong = ping(data, &full, &empty);
    if (me == 1)
        printf("%d puts, %s\n", ROUNDS,
               wrong ? "wrong data" : "every flag with its data");
    RCCE_barrier(&RCCE_COMM_WORLD);

    if (me == 0) {
        RCCE_get(private_copy, data, BYTES, 1);
        printf("get: %s\n",
               private_copy[BYTES - 1] == ROUNDS - 1 ? "right" : "wrong");
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    one_byte(data);

    t_vcharp small = RCCE_malloc(64);
    memset(text, me == 0 ? 'x' : 0, sizeof text);
    if (me == 0) {
        RCCE_send(text, small, 64, &full, &empty, sizeof text, 1);
    } else {
        RCCE_recv(text, small, 64, &full, &empty, sizeof text, 0);
        printf("gory send in chunks of 64: %s\n",
               text[0] == 'x' && text[999] == 'x' ? "right" : "wrong");
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_flag_free(&full);
    RCCE_flag_free(&empty);
    RCCE_free(small);
    RCCE_free(data);
    return RCCE_finalize();
}
