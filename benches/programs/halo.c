/*
 * A stencil with halo exchange: each core has a strip of 32 x 64 doubles and
 * gives its border rows to its neighbours before each Jacobi step. The
 * border of the whole plate is linear and the inside starts above it, so
 * that the excess may only shrink.
 */
#include "RCCE.h"

#include "bench.h"

#define ROWS 32
#define WIDTH 64
#define EXCESS 4096.0

static double plane[2][ROWS + 2][WIDTH];

/* Even ranks send first, odd ones receive first: nobody waits in a circle. */
static void exchange(double (*strip)[WIDTH], int me, int ues)
{
    size_t bytes = sizeof strip[0];

    for (int turn = 0; turn < 2; turn++) {
        if (me % 2 == turn) {
            if (me + 1 < ues)
                RCCE_send((char *)strip[ROWS], bytes, me + 1);
            if (me > 0)
                RCCE_send((char *)strip[1], bytes, me - 1);
        } else {
            if (me > 0)
                RCCE_recv((char *)strip[0], bytes, me - 1);
            if (me + 1 < ues)
                RCCE_recv((char *)strip[ROWS + 1], bytes, me + 1);
        }
    }
}

static void step(double (*next)[WIDTH], double (*now)[WIDTH])
{
    for (int y = 1; y <= ROWS; y++)
        for (int x = 1; x < WIDTH - 1; x++)
            next[y][x] = 0.25 * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] +
                                 now[y][x + 1]);
}

static double linear(int me, int y, int x)
{
    return x + 2.0 * (me * ROWS + y);
}

static void fill(int me, int ues)
{
    for (int y = 0; y < ROWS + 2; y++)
        for (int x = 0; x < WIDTH; x++) {
            int edge = x == 0 || x == WIDTH - 1 || (me == 0 && y == 0) ||
                       (me == ues - 1 && y == ROWS + 1);
            plane[0][y][x] = plane[1][y][x] =
                linear(me, y, x) + (edge ? 0 : EXCESS);
        }
}

static unsigned check(int me)
{
    unsigned wrong = 0;

    for (int y = 1; y <= ROWS; y++)
        for (int x = 0; x < WIDTH; x++) {
            double excess = plane[0][y][x] - linear(me, y, x);
            wrong += excess > EXCESS || excess < -1e-6;
        }
    return wrong;
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    unsigned rounds = bench_argument(argc, argv, 1, 1);
    int me = RCCE_ue(), ues = RCCE_num_ues();
    fill(me, ues);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (unsigned round = 0; round < rounds; round++) {
        for (int n = 0; n < 2; n++) {
            exchange(plane[n], me, ues);
            step(plane[1 - n], plane[n]);
        }
    }
    RCCE_finalize();
    return bench_verdict("halo", rounds, check(me));
}
