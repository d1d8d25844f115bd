// cc: -O1 -lrcce
// run: -n 2
/* Hand-made protocols in MPBs: what L1D and the write-combine buffer keep. */
#include "seeds.h"

static word *buffer, *other, *plain;
static int me, step;
static uint32_t sum;

static void forgotten_cl1invmb(void)
{
    word *data = buffer;
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0) {
        *data = 0x11;
        other[0] = 1;
    }
    meet(++step);
    if (me == 1) {
        LEFT_OUT(CL1INVMB();)
        sum += *data; /* finds: stale-read */
    }
    meet(++step);
}

static void cl1invmb_too_early(void)
{
    word *data = buffer + 8;
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 1)
        MISTAKE(CL1INVMB());
    if (me == 1)
        sum += *data;
    meet(++step);
    if (me == 0) {
        *data = 0x22;
        other[0] = 2;
    }
    meet(++step);
    if (me == 1) {
        LEFT_OUT(CL1INVMB();)
        sum += *data; /* finds: stale-read */
    }
    meet(++step);
}

static void polled_without_cl1invmb(void)
{
    word *flag = buffer + 16;
    if (me == 1)
        sum += *flag;
    meet(++step);
    if (me == 0) {
        *flag = 1;
        other[0] = 3;
    } else {
        for (int round = 0; round < 60000; round++) {
            LEFT_OUT(CL1INVMB(); round += 1000;)
            if (*flag) /* finds: stale-poll */
                break;
        }
    }
    /* Not in order before: only the flag orders. */
    LEFT_OUT(CL1INVMB();)
    meet(++step);
    CL1INVMB();
}

static void not_drained(void)
{
    word *data = buffer + 24;
    if (me == 0) {
        *data = 0x44; /* finds: stuck-write */
        LEFT_OUT(other[0] = 4;)
    }
    meet(++step);
    if (me == 1) {
        CL1INVMB();
        sum += *data;
    }
    meet(++step);
    other[8 + me] = 4;
}

static void drained_by_the_same_line(void)
{
    word *data = buffer + 32;
    if (me == 0) {
        *data = 0x55;   /* finds: stuck-write */
        data[1] = 0x56; /* no other line: nothing goes out */
        LEFT_OUT(other[0] = 5;)
    }
    meet(++step);
    if (me == 1) {
        CL1INVMB();
        sum += *data;
    }
    meet(++step);
    other[8 + me] = 5;
}

static void drained_by_an_uncached_store(void)
{
    word *data = buffer + 40;
    if (me == 0) {
        *data = 0x66;   /* finds: stuck-write */
        plain[512] = 6; /* not through the buffer */
        LEFT_OUT(other[0] = 6;)
    }
    meet(++step);
    if (me == 1) {
        CL1INVMB();
        sum += *data;
    }
    meet(++step);
    other[8 + me] = 6;
}

static void flag_left_behind(void)
{
    word *data = buffer + 48, *flag = buffer + 56;
    if (me == 0) {
        *data = 0x77;
        *flag = 7; /* finds: stuck-write */
        LEFT_OUT(other[0] = 7;)
    }
    meet(++step);
    if (me == 1) {
        CL1INVMB();
        sum += *flag + *data;
    }
    meet(++step);
    other[8 + me] = 7;
}

static void last_line_of_a_message(void)
{
    word *data = buffer + 64;
    if (me == 0) {
        for (int n = 0; n < 20; n++)
            data[n] = 0x800u + (uint32_t)n; /* finds: stuck-write */
        LEFT_OUT(other[0] = 8;)
    }
    meet(++step);
    if (me == 1) {
        CL1INVMB();
        for (int n = 0; n < 20; n++)
            sum += data[n];
    }
    meet(++step);
    other[8 + me] = 8;
}

static void own_store_not_seen(void)
{
    word *data = buffer + 96;
    if (me == 0) {
        CL1INVMB();
        *data = 0x99; /* finds: stuck-write */
        LEFT_OUT(other[0] = 9;)
        sum += *data;
    }
    meet(++step);
    other[8 + me] = 9;
}

static void second_round_of_two_buffers(void)
{
    word *half[2] = {buffer + 104, buffer + 112};
    for (int round = 0; round < 3; round++) {
        if (me == 0) {
            *half[round % 2] = 0xA0u + (uint32_t)round;
            other[0] = 10;
        }
        meet(++step);
        if (me == 1) {
            LEFT_OUT(CL1INVMB();)
            sum += *half[round % 2]; /* finds: stale-read */
        }
        meet(++step);
    }
}

static void queue_with_an_old_index(void)
{
    word *tail = buffer + 120, *slots = buffer + 128;
    for (int item = 0; item < 3; item++) {
        if (me == 0) {
            slots[8 * item] = 0xB0u + (uint32_t)item;
            *tail = (uint32_t)item + 1;
            other[0] = 11;
        }
        meet(++step);
        if (me == 1) {
            LEFT_OUT(CL1INVMB();)
            sum += *tail; /* finds: stale-read */
        }
        meet(++step);
    }
}

static void copied_by_the_library(void)
{
    word *data = buffer + 160;
    static char copy[64];
    size_t bytes = 32 + (size_t)RCCE_num_ues() * 16;
    if (me == 1)
        sum += data[3];
    meet(++step);
    if (me == 0) {
        for (int n = 0; n < 16; n++)
            data[n] = 0xC01u + (uint32_t)n;
        other[0] = 12;
    }
    meet(++step);
    if (me == 1) {
        LEFT_OUT(CL1INVMB();)
        memcpy(copy, (const void *)data, bytes); /* finds: stale-read */
        sum += (uint32_t)copy[0];
    }
    meet(++step);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    me = RCCE_ue();
    buffer = mpb(0);
    other = mpb(0) + 512;
    plain = mpb_uncached(0);
    turn_open();
    RCCE_barrier(&RCCE_COMM_WORLD);
    forgotten_cl1invmb();
    cl1invmb_too_early();
    polled_without_cl1invmb();
    not_drained();
    drained_by_the_same_line();
    drained_by_an_uncached_store();
    flag_left_behind();
    last_line_of_a_message();
    own_store_not_seen();
    second_round_of_two_buffers();
    queue_with_an_old_index();
    copied_by_the_library();
    printf("%u\n", sum);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
