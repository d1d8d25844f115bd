/*
 * render_rcce.c: render.cpp by RCCE's messages. UE 0 hands rows out and takes
 * results; each other UE sends a result to get its next row.
 */
#include "RCCE.h"
#include "mandelbrot.h"

#include <stdio.h>
#include <stdlib.h>

/* What a worker sends. Its first message has no result, and row is -1. */
struct result {
    int row;
    unsigned char pixels[COLUMNS];
};

static void work(void)
{
    struct View view;
    struct result result = {-1, {0}};
    int row;

    RCCE_recv((char *)&view, sizeof view, 0);
    for (;;) {
        RCCE_send((char *)&result, sizeof result, 0);
        RCCE_recv((char *)&row, sizeof row, 0);
        if (row < 0)
            return;
        compute_row(&view, row, result.pixels);
        result.row = row;
    }
}

static unsigned hand_out(int rows)
{
    struct View view = make_view(rows);
    struct result result;
    unsigned sum = 0;
    int next = 0, working = RCCE_num_ues() - 1;
    char *received = calloc((size_t)working + 1, 1);

    for (int ue = 1; ue <= working; ue++)
        RCCE_send((char *)&view, sizeof view, ue);
    for (int left = working, ue = 1; left; ue = ue % working + 1) {
        int come = 0, row = -1;

        if (received[ue])
            continue;
        RCCE_recv_test((char *)&result, sizeof result, ue, &come);
        if (!come)
            continue;
        if (result.row >= 0)
            sum = checksum(sum, result.row, result.pixels);
        if (next < rows)
            row = next++;
        RCCE_send((char *)&row, sizeof row, ue);
        if (row < 0) {
            received[ue] = 1;
            left--;
        }
    }
    free(received);
    return sum;
}

static unsigned alone(int rows)
{
    struct View view = make_view(rows);
    unsigned char pixels[COLUMNS];
    unsigned sum = 0;

    for (int row = 0; row < rows; row++) {
        compute_row(&view, row, pixels);
        sum = checksum(sum, row, pixels);
    }
    return sum;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int rows = argc > 1 ? atoi(argv[1]) : 64;

    if (RCCE_ue())
        work();
    else
        printf("%d rows, checksum %08x\n", rows,
               RCCE_num_ues() > 1 ? hand_out(rows) : alone(rows));
    RCCE_finalize();
    return 0;
}
