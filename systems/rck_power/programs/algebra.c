/*
 * algebra.c: matrix products and matrix-vector products in turn, and a sum
 * over all UEs after each.
 *
 * algebra GOAL [ROUNDS]: each round multiplies small matrices that stay in
 * the caches, then one matrix in shared memory with a vector of each UE.
 */
#include "goal.h"

#include <stdio.h>
#include <stdlib.h>

#define SIDE 24
#define PRODUCTS 200
#define ROWS 64
#define COLUMNS 64
#define PASSES 3

/* All of the product counts: the compiler shall not leave any of it out. */
static volatile double c[SIDE][SIDE];
static double a[SIDE][SIDE], b[SIDE][SIDE];
static double vector[COLUMNS], out[ROWS];
static volatile double *matrix;

static void multiply(void)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double sum = 0;

            for (int k = 0; k < SIDE; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void multiply_row(int row)
{
    double sum = 0;

    for (int i = 0; i < COLUMNS; i++)
        sum += matrix[row * COLUMNS + i] * vector[i];
    out[row] = sum;
}

static void add_up(double *value)
{
    double own = *value;

    RCCE_allreduce((char *)&own, (char *)value, 1, RCCE_DOUBLE, RCCE_SUM,
                   RCCE_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct goal goal;

    RCCE_init(&argc, &argv);
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    matrix = (volatile double *)(volatile void *)RCCE_shmalloc(ROWS * COLUMNS *
                                                               sizeof *matrix);
    if (!matrix)
        return 1;
    for (int i = RCCE_ue(); i < ROWS; i += RCCE_num_ues())
        for (int k = 0; k < COLUMNS; k++)
            matrix[i * COLUMNS + k] = (i + k) % 5;
    if (argc < 2 || goal_start(&goal, argv[1]))
        return 1;
    for (int round = 0; round < rounds; round++) {
        for (int n = 0; n < PRODUCTS; n++) {
            multiply();
            goal_tick(&goal, (round + 0.5 * n / PRODUCTS) / rounds);
        }
        add_up(&out[0]);
        for (int row = 0; row < PASSES * ROWS; row++) {
            multiply_row(row % ROWS);
            if (row % 4 == 0)
                goal_tick(&goal, (round + 0.5) / rounds);
        }
        add_up(&out[1]);
    }
    goal_end(&goal, argv[1]);
    RCCE_finalize();
    return 0;
}
