// A matrix of 64.7 MB: cores that do not run lend memory. The first two of 182 steps of the
// factorisation, each of which changes what is right of it and below, give back elements of the
// matrix: all steps take an hour of a host.
// cc: -O2 -pthread -I${system}/programs
// run: -q -n 16 --tag none --timeout 7200s
// expect-stdout:
// lu of 64 MB: 2048 elements, 0 wrong
// slow: yes
#define main small
#include <lu.c>
#undef main

#include <math.h>

enum { SIZE = 2912, STEPS = 2, DONE = STEPS * BLOCK, ELEMENTS = 2048 };

static double element(int row, int column)
{
    return row == column ? SIZE : (row * 7 + column * 3) % 11 / 11.0;
}

static double *at(int row, int column)
{
    return block(row / BLOCK, column / BLOCK) + row % BLOCK * stride() +
           column % BLOCK;
}

static void fill_blocks(int number)
{
    for (int n = 0; n < blocks * blocks; n++)
        for (int i = 0;
             owner(n / blocks, n % blocks) == number && i < BLOCK * BLOCK;
             i++) {
            int row = n / blocks * BLOCK + i / BLOCK;
            int column = n % blocks * BLOCK + i % BLOCK;

            *at(row, column) = element(row, column);
        }
}

static void *few_steps(void *argument)
{
    int number = *(int *)argument;

    fill_blocks(number);
    pthread_barrier_wait(&barrier);
    for (int k = 0; k < STEPS; k++)
        step(number, k);
    pthread_barrier_wait(&barrier);
    return NULL;
}

/* An element of the matrix, from the factors so far and what is left. */
static double product(int row, int column)
{
    int last = row < column ? row : column;
    double sum = *at(row, column);

    if (column < row && column < DONE)
        sum *= *at(column, column);
    for (int k = 0; k < last && k < DONE; k++)
        sum += *at(row, k) * *at(k, column);
    return sum;
}

int main(void)
{
    int wrong = 0;
    long time;

    contiguous = 1;
    threads = 16;
    grid_rows = grid_columns = 4;
    size = SIZE;
    blocks = SIZE / BLOCK;
    matrix = aligned_alloc(4096, (size_t)SIZE * SIZE * sizeof *matrix);
    if (!matrix || !run_team(few_steps, &time))
        return 1;
    for (unsigned n = 0, spot = 1; n < ELEMENTS; n++) {
        int row = (int)(spot >> 8) % SIZE, column = (int)(spot >> 4) % SIZE;

        if (n % 2)
            column %= 2 * DONE; /* half of them in or beside the factors */
        wrong += fabs(product(row, column) - element(row, column)) > 1e-9;
        spot = spot * 1103515245u + 12345u;
    }
    printf("lu of %d MB: %d elements, %d wrong\n",
           (int)((size_t)SIZE * SIZE * sizeof *matrix >> 20), ELEMENTS, wrong);
    return wrong != 0;
}
