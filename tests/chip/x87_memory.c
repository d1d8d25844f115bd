/* The x87 with operands that no cache has: loads and stores of doubles and
 * floats, aligned or not, while additions, divisions and roots are still in
 * progress, integers between them, and timer interrupts. */
#include <stdio.h>
#include <string.h>

#define EDGE 128
#define SKIPS 7

static double plane[2][EDGE][EDGE], packed[EDGE * EDGE + 1];
static float singles[EDGE * EDGE];
static int indices[EDGE * EDGE];

static double root(double x)
{
    __asm__("fsqrt" : "+t"(x));
    return x;
}

static void step(double (*next)[EDGE], double (*now)[EDGE])
{
    for (int y = 1; y < EDGE - 1; y++)
        for (int x = 1; x < EDGE - 1; x++)
            next[y][x] = 0.25 * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] +
                                 now[y][x + 1]);
}

/* Each of them is four bytes beside its place. */
static void store_skewed(int i, double x)
{
    memcpy((char *)packed + 8 * i + 4, &x, sizeof(x));
}

static double load_skewed(int i)
{
    double x;

    memcpy(&x, (char *)packed + 8 * i + 4, sizeof(x));
    return x;
}

/* Every line is another one's turn. */
static double scatter(const double *from, int by)
{
    double sum = 0;

    for (int n = 0, i = 0; n < EDGE * EDGE; n++, i = (i + by) % (EDGE * EDGE)) {
        double x = from[i];
        indices[i] = n + indices[(i + by) % (EDGE * EDGE)];
        singles[i] = (float)(x / (1.5 + n));
        store_skewed(i, root(x + n) + sum * 1e-9);
        sum += x * from[(i + SKIPS * by) % (EDGE * EDGE)] + singles[i];
    }
    return sum;
}

int main(void)
{
    double sum = 0;
    long total = 0;

    for (int y = 0; y < EDGE; y++)
        for (int x = 0; x < EDGE; x++)
            plane[0][y][x] = plane[1][y][x] = x + 2.0 * y + x * y % 7;
    for (int round = 0; round < 3; round++) {
        step(plane[1], plane[0]);
        sum += scatter(plane[1][0], 4 * SKIPS + 1 + 2 * round);
        step(plane[0], plane[1]);
    }
    for (int i = 0; i < EDGE * EDGE; i++) {
        sum += load_skewed(i) / (2.0 + singles[i]);
        total += indices[i];
    }
    printf("%.17g %ld\n", sum, total);
    return 0;
}
