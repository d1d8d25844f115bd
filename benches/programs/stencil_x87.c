/*
 * Jacobi steps of a five-point stencil of doubles on the x87, 64 x 64: two
 * planes of 32 KB. The border holds a linear function, which the steps leave
 * alone, and the inside starts above it: the excess may only shrink.
 */
#include "bench.h"

#define EDGE 64
#define EXCESS 4096.0

static double plane[2][EDGE][EDGE];

static double linear(int y, int x)
{
    return x + 2.0 * y;
}

static void step(double (*next)[EDGE], double (*now)[EDGE])
{
    for (int y = 1; y < EDGE - 1; y++)
        for (int x = 1; x < EDGE - 1; x++)
            next[y][x] = 0.25 * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] +
                                 now[y][x + 1]);
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    double highest = EXCESS;

    for (int y = 0; y < EDGE; y++)
        for (int x = 0; x < EDGE; x++) {
            int inside = x && y && x < EDGE - 1 && y < EDGE - 1;
            plane[0][y][x] = plane[1][y][x] =
                linear(y, x) + (inside ? EXCESS : 0);
        }
    for (unsigned round = 0; round < rounds; round++) {
        step(plane[1], plane[0]);
        step(plane[0], plane[1]);
        double excess =
            plane[0][EDGE / 2][EDGE / 2] - linear(EDGE / 2, EDGE / 2);
        wrong += excess > highest || excess < -1e-9;
        highest = excess;
    }
    for (int y = 0; y < EDGE; y++)
        for (int x = 0; x < EDGE; x++) {
            double excess = plane[0][y][x] - linear(y, x);
            wrong += excess > EXCESS || excess < -1e-9;
        }
    return bench_verdict("stencil_x87", rounds, wrong);
}
