// Single-bit flags: 300 of them in two lines, neighbours written by
// different UEs at once, a gory message, communicators and a barrier.
// run: -n 8 --tag none
// also-slow: --kernel l4
// cc: -DGORY -DSINGLEBITFLAGS -lrcce
// expect-stdout:
// a flag is a bit: 300 flags in 2 lines
// no neighbour was lost in 20 rounds
// gory message: 1000 bytes, 0 wrong
// freed twice: 0 1234333
// a line is left: 2000 bit flags fit, 0 line
#include "RCCE.h"

#define FLAGS 300
#define ROUNDS 20

static RCCE_FLAG flag[FLAGS], extra;

static int lines(void)
{
    int count = 1;
    for (int i = 1; i < FLAGS; i++)
        count += flag[i].line_address != flag[i - 1].line_address;
    return count;
}

/* All UEs write neighbouring bits on UE 0, which sees all of them. */
static void neighbours(int me, int ues)
{
    int lost = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int value = !(round & 1);
        RCCE_flag_write(&flag[40 + me], value, 0);
        if (me == 0)
            for (int i = 0; i < ues; i++)
                RCCE_wait_until(flag[40 + i], value);
        int other;
        RCCE_flag_read(flag[39], &other, 0);
        lost += other != 0;
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    if (me == 0)
        printf("%s neighbour was lost in %d rounds\n", lost ? "a" : "no",
               ROUNDS);
}

static void message(int me)
{
    static char data[1000];
    t_vcharp combuf = RCCE_malloc(256);
    int wrong = 0;
    if (me == 2) {
        for (int i = 0; i < 1000; i++)
            data[i] = (char)(i * 7);
        RCCE_send(data, combuf, 256, &flag[0], &flag[1], 1000, 5);
    } else if (me == 5) {
        RCCE_recv(data, combuf, 256, &flag[0], &flag[1], 1000, 2);
        for (int i = 0; i < 1000; i++)
            wrong += data[i] != (char)(i * 7);
        printf("gory message: 1000 bytes, %d wrong\n", wrong);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
}

int RCCE_APP(int argc, char **argv)
{
    int many = 0;
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    for (int i = 0; i < FLAGS; i++)
        if (RCCE_flag_alloc(&flag[i]))
            return 2;
    if (me == 0)
        printf("a flag is a bit: %d flags in %d lines\n", FLAGS, lines());
    RCCE_barrier(&RCCE_COMM_WORLD);
    neighbours(me, RCCE_num_ues());
    message(me);
    extra = flag[7];
    int first = RCCE_flag_free(&flag[7]), second = RCCE_flag_free(&flag[7]);
    if (RCCE_flag_free(&extra) != second)
        return 3;
    if (me == 0)
        printf("freed twice: %d %d\n", first, second);
    while (many < 2000 && !RCCE_flag_alloc(&extra))
        many++;
    if (me == 0)
        printf("a line is left: %d bit flags fit, %d line\n", many,
               RCCE_malloc(8000) != NULL);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
