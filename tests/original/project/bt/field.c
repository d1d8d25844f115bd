/* The solution that is to be found, and how far the unknowns are from it. */
#include <math.h>
#include "RCCE.h"
#include "bt.h"

field u, exact, rhs, source;

static double exact_value(int m, int x, int y, int z)
{
    double a = x * H, b = y * H, c = z * H;

    return 1.0 + 0.2 * m + a * (1.0 + 0.5 * a) - b * b * (0.3 + 0.1 * m) +
           0.4 * a * b * c + c * (0.7 - 0.2 * c * c);
}

void jacobian(const double *v, int d, double j[M][M])
{
    int m, n;

    for (m = 0; m < M; m++)
        for (n = 0; n < M; n++)
            j[m][n] = m == n ? 0.3 + 0.1 * v[0]
                             : 0.05 * ((2 * m + 3 * n + d) % 5 - 2);
}

/* Diffusion less convection of a field, to rhs. */
static void flow(field f)
{
    double j[M][M];
    int cell, x, y, z, d, m, n;

    for (cell = 0; cell < q; cell++)
        for (x = 1; x <= side; x++)
            for (y = 1; y <= side; y++)
                for (z = 1; z <= side; z++) {
                    double *r = rhs[cell][x][y][z], *v = f[cell][x][y][z];
                    for (m = 0; m < M; m++)
                        r[m] = 0.0;
                    for (d = 0; d < 3; d++) {
                        double *p =
                            f[cell][x + (d == 0)][y + (d == 1)][z + (d == 2)];
                        double *o =
                            f[cell][x - (d == 0)][y - (d == 1)][z - (d == 2)];
                        jacobian(v, d, j);
                        for (m = 0; m < M; m++) {
                            r[m] += NU / (H * H) * (p[m] - 2.0 * v[m] + o[m]);
                            for (n = 0; n < M; n++)
                                r[m] -= 0.5 / H * j[m][n] * (p[n] - o[n]);
                        }
                    }
                }
}

/* The source keeps the exact solution where it is; the unknowns begin off it,
 * but at the cube's faces, which are ghosts. */
void set_up(void)
{
    int cell, x, y, z, m;

    for (cell = 0; cell < q; cell++) {
        int x0 = place_of(cell, 0) * side, y0 = place_of(cell, 1) * side,
            z0 = place_of(cell, 2) * side;
        for (x = 0; x <= side + 1; x++)
            for (y = 0; y <= side + 1; y++)
                for (z = 0; z <= side + 1; z++)
                    for (m = 0; m < M; m++) {
                        int gx = x0 + x, gy = y0 + y, gz = z0 + z;
                        double off = 0.5 * sin(3.0 * gx * H) * gy * gz * H * H;
                        int inside = gx > 0 && gx <= N && gy > 0 && gy <= N &&
                                     gz > 0 && gz <= N;
                        double e = exact_value(m, gx, gy, gz);
                        exact[cell][x][y][z][m] = e;
                        u[cell][x][y][z][m] = inside ? e + off : e;
                    }
    }
    flow(exact);
    for (cell = 0; cell < q; cell++)
        for (x = 1; x <= side; x++)
            for (y = 1; y <= side; y++)
                for (z = 1; z <= side; z++)
                    for (m = 0; m < M; m++)
                        source[cell][x][y][z][m] = -rhs[cell][x][y][z][m];
}

void compute_rhs(field f)
{
    int cell, x, y, z, m;

    flow(f);
    for (cell = 0; cell < q; cell++)
        for (x = 1; x <= side; x++)
            for (y = 1; y <= side; y++)
                for (z = 1; z <= side; z++)
                    for (m = 0; m < M; m++) {
                        double *r = rhs[cell][x][y][z];
                        r[m] = DT * (r[m] + source[cell][x][y][z][m]);
                    }
}

/* The root mean square of a difference, over all UEs. */
double norm(field a, field b, int m)
{
    double mine = 0.0, all;
    int cell, x, y, z;

    for (cell = 0; cell < q; cell++)
        for (x = 1; x <= side; x++)
            for (y = 1; y <= side; y++)
                for (z = 1; z <= side; z++) {
                    double e = a[cell][x][y][z][m];
                    e -= b ? b[cell][x][y][z][m] : 0.0;
                    mine += e * e;
                }
    RCCE_allreduce((char *)&mine, (char *)&all, 1, RCCE_DOUBLE, RCCE_SUM,
                   RCCE_COMM_WORLD);
    return sqrt(all / ((double)N * N * N));
}
