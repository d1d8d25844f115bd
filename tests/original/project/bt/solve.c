/*
 * Block-tridiagonal systems along an axis, by elimination from one end of the
 * cube to the other and substitution back; a line's systems go through the
 * cells of Q UEs, one stage after another.
 */
#include "bt.h"

#define BLOCK (M * M + M) /* what elimination hands on for a line */

static double above[MAXQ][N][N][N][M][M];
static double out[N * N * BLOCK], in[N * N * BLOCK];

/* b := inverse(b) c and inverse(b) r, by Gauss and Jordan without pivots:
 * the diagonal is large. */
static void divide(double b[M][M], double c[M][M], double *r)
{
    int p, m, n;

    for (p = 0; p < M; p++) {
        double pivot = 1.0 / b[p][p];
        for (n = p + 1; n < M; n++)
            b[p][n] *= pivot;
        for (n = 0; n < M; n++)
            c[p][n] *= pivot;
        r[p] *= pivot;
        for (m = 0; m < M; m++) {
            double f = b[m][p];
            if (m == p)
                continue;
            for (n = p + 1; n < M; n++)
                b[m][n] -= f * b[p][n];
            for (n = 0; n < M; n++)
                c[m][n] -= f * c[p][n];
            r[m] -= f * r[p];
        }
    }
}

/* One point: takes the one before it (its block and value) out. */
static void eliminate(const double *v, int d, double *r, double c[M][M],
                      const double (*last)[M], const double *last_r)
{
    double a[M][M], b[M][M], j[M][M];
    int m, n, p;

    jacobian(v, d, j);
    for (m = 0; m < M; m++)
        for (n = 0; n < M; n++) {
            double same = m == n ? DT * NU / (H * H) : 0.0;
            a[m][n] = -same - 0.5 * DT / H * j[m][n];
            c[m][n] = -same + 0.5 * DT / H * j[m][n];
            b[m][n] = m == n ? 1.0 + 2.0 * same : 0.0;
        }
    for (m = 0; m < M && last; m++) {
        for (p = 0; p < M; p++) {
            for (n = 0; n < M; n++)
                b[m][n] -= a[m][p] * last[p][n];
            r[m] -= a[m][p] * last_r[p];
        }
    }
    divide(b, c, r);
}

static void forward(int d, int cell, int first)
{
    int a, b, l, m, n;

    for (a = 0; a < side; a++)
        for (b = 0; b < side; b++) {
            double *from = in + (a * side + b) * BLOCK;
            double *to = out + (a * side + b) * BLOCK;
            const double (*last)[M] = first ? 0 : (const double (*)[M])from;
            const double *last_r = from + M * M;
            for (l = 0; l < side; l++) {
                double *r = at(rhs, cell, d, l + 1, a + 1, b + 1);
                double (*c)[M] = above[cell][a][b][l];
                eliminate(at(u, cell, d, l + 1, a + 1, b + 1), d, r, c, last,
                          last_r);
                last = (const double (*)[M])c;
                last_r = r;
            }
            for (m = 0; m < M; m++) {
                for (n = 0; n < M; n++)
                    to[m * M + n] = last[m][n];
                to[M * M + m] = last_r[m];
            }
        }
}

static void backward(int d, int cell, int end)
{
    int a, b, l, m, n;

    for (a = 0; a < side; a++)
        for (b = 0; b < side; b++) {
            const double *next = end ? 0 : in + (a * side + b) * M;
            for (l = side - 1; l >= 0; l--) {
                double *r = at(rhs, cell, d, l + 1, a + 1, b + 1);
                for (m = 0; m < M && next; m++)
                    for (n = 0; n < M; n++)
                        r[m] -= above[cell][a][b][l][m][n] * next[n];
                next = r;
            }
            for (m = 0; m < M; m++)
                out[(a * side + b) * M + m] = next[m];
        }
}

void sweep(int d)
{
    int place;

    for (place = 0; place < q; place++) {
        forward(d, cell_at(place, d), place == 0);
        if (place < q - 1)
            shift(d, 1, out, in, side * side * BLOCK);
    }
    for (place = q - 1; place >= 0; place--) {
        backward(d, cell_at(place, d), place == q - 1);
        if (place > 0)
            shift(d, 0, out, in, side * side * M);
    }
}
