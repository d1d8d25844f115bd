/*
 * A blocked product of two 64 x 64 matrices of doubles on the x87: blocks
 * fit L1, the matrices L2. Elements are small integers, so that the product
 * has a closed form that doubles hold exactly.
 */
#include "bench.h"

#define EDGE 64
#define BLOCK 16

static double a[EDGE][EDGE], b[EDGE][EDGE], c[EDGE][EDGE];

static void block(int i0, int j0, int k0)
{
    for (int i = i0; i < i0 + BLOCK; i++)
        for (int j = j0; j < j0 + BLOCK; j++) {
            double sum = c[i][j];
            for (int k = k0; k < k0 + BLOCK; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

/* The sum over k of (i + k)(k - j). */
static double expected(int i, int j)
{
    double first = EDGE * (EDGE - 1) / 2.0;
    double second = first * (2 * EDGE - 1) / 3;

    return second + (i - j) * first - (double)EDGE * i * j;
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;

    for (int i = 0; i < EDGE; i++)
        for (int k = 0; k < EDGE; k++) {
            a[i][k] = i + k;
            b[i][k] = i - k;
        }
    for (unsigned round = 0; round < rounds; round++) {
        for (int i = 0; i < EDGE; i++)
            for (int j = 0; j < EDGE; j++)
                c[i][j] = 0;
        for (int i = 0; i < EDGE; i += BLOCK)
            for (int k = 0; k < EDGE; k += BLOCK)
                for (int j = 0; j < EDGE; j += BLOCK)
                    block(i, j, k);
        int i = (int)(round % EDGE), j = (int)(round / EDGE % EDGE);
        wrong += c[i][j] != expected(i, j);
    }
    for (int i = 0; i < EDGE; i++)
        for (int j = 0; j < EDGE; j++)
            wrong += c[i][j] != expected(i, j);
    return bench_verdict("matmul_x87", rounds, wrong);
}
