/*
 * A strip of a plate on each core, explicit steps of a five-point stencil;
 * the rows at the borders go to the neighbours before each step. The
 * checksum does not depend on how many cores share the plate.
 */
#include "RCCE.h"

#define WIDTH 32
#define ROWS 48 /* of the whole plate, borders not counted */
#define STEPS 20

static double now[ROWS + 2][WIDTH], next[ROWS + 2][WIDTH];

static void borders(int rows, int me, int ues)
{
    size_t bytes = sizeof now[0];

    /* Even cores send first, odd ones receive first: nobody waits in a
     * circle. */
    for (int turn = 0; turn < 2; turn++) {
        if (me % 2 == turn) {
            if (me + 1 < ues)
                RCCE_send((char *)now[rows], bytes, me + 1);
            if (me > 0)
                RCCE_send((char *)now[1], bytes, me - 1);
        } else {
            if (me > 0)
                RCCE_recv((char *)now[0], bytes, me - 1);
            if (me + 1 < ues)
                RCCE_recv((char *)now[rows + 1], bytes, me + 1);
        }
    }
}

static void step(int rows)
{
    for (int y = 1; y <= rows; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            next[y][x] = now[y][x] * 0.5 + (now[y - 1][x] + now[y + 1][x] +
                                            now[y][x - 1] + now[y][x + 1]) *
                                               0.125;
    for (int y = 1; y <= rows; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            now[y][x] = next[y][x];
}

int RCCE_APP(int argc, char **argv)
{
    double sum = 0, total = 0;

    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues(), rows = ROWS / ues;
    if (ROWS % ues) {
        printf("%d rows do not go into %d cores\n", ROWS, ues);
        return 1;
    }
    if (me == 0)
        for (int x = 0; x < WIDTH; x++)
            now[0][x] = 256;
    RCCE_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    for (int n = 0; n < STEPS; n++) {
        borders(rows, me, ues);
        step(rows);
    }
    double us = (RCCE_wtime() - start) / STEPS * 1e6;
    for (int y = 1; y <= rows; y++)
        for (int x = 0; x < WIDTH; x++)
            sum += now[y][x];
    RCCE_reduce((char *)&sum, (char *)&total, 1, RCCE_DOUBLE, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0) {
        printf("%d rows, %d steps, checksum %.6f\n", ROWS, STEPS, total);
        printf("%d cores: %.1f us a step\n", ues, us);
    }
    return RCCE_finalize();
}
