/*
 * Laplace's equation on a square, solved by Jacobi's method on a grid of
 * cores; each has a block and exchanges its four edges without blocking. It
 * ends when no value changes by more than the tolerance, and compares with
 * the solution x y.
 */
#include "iRCCE.h"

#include <math.h>

#define SIZE 24 /* inner points a side */
#define TOLERANCE 1e-4

static double now[SIZE + 2][SIZE + 2], next[SIZE + 2][SIZE + 2];
static int px, py, cx, cy; /* grid of cores, and the own place in it */
static int nx, ny;         /* inner points of the own block */

static double exact(int x, int y)
{
    return (double)(x * y) / ((SIZE + 1) * (SIZE + 1));
}

/* As square as can be. */
static void divide(int me, int ues)
{
    for (px = 1; px * px < ues || ues % px || SIZE % px; px++)
        ;
    py = ues / px;
    cx = me % px;
    cy = me / px;
    nx = SIZE / px;
    ny = SIZE / py;
}

static void start_values(void)
{
    for (int y = 0; y <= ny + 1; y++)
        for (int x = 0; x <= nx + 1; x++) {
            int gx = cx * nx + x, gy = cy * ny + y;
            int edge = gx == 0 || gy == 0 || gx == SIZE + 1 || gy == SIZE + 1;
            now[y][x] = edge ? exact(gx, gy) : 0;
        }
}

/* Edges in the order left, right, down, up. */
static void exchange(int me)
{
    static double out[4][SIZE], in[4][SIZE];
    static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    iRCCE_SEND_REQUEST send[4];
    iRCCE_RECV_REQUEST recv[4];
    iRCCE_WAIT_LIST list;

    iRCCE_init_wait_list(&list);
    for (int y = 0; y < ny; y++) {
        out[0][y] = now[y + 1][1];
        out[1][y] = now[y + 1][nx];
    }
    for (int x = 0; x < nx; x++) {
        out[2][x] = now[1][x + 1];
        out[3][x] = now[ny][x + 1];
    }
    for (int side = 0; side < 4; side++) {
        int x = cx + dx[side], y = cy + dy[side];
        if (x < 0 || x == px || y < 0 || y == py)
            continue;
        ssize_t bytes = (ssize_t)sizeof(double) * (side < 2 ? ny : nx);
        int other = me + dx[side] + dy[side] * px;
        iRCCE_isend((char *)out[side], bytes, other, &send[side]);
        iRCCE_irecv((char *)in[side], bytes, other, &recv[side]);
        iRCCE_add_to_wait_list(&list, &send[side], &recv[side]);
    }
    iRCCE_wait_all(&list);
    for (int y = 0; y < ny; y++) {
        now[y + 1][0] = cx > 0 ? in[0][y] : now[y + 1][0];
        now[y + 1][nx + 1] = cx + 1 < px ? in[1][y] : now[y + 1][nx + 1];
    }
    for (int x = 0; x < nx; x++) {
        now[0][x + 1] = cy > 0 ? in[2][x] : now[0][x + 1];
        now[ny + 1][x + 1] = cy + 1 < py ? in[3][x] : now[ny + 1][x + 1];
    }
}

static double step(void)
{
    double change = 0;

    for (int y = 1; y <= ny; y++)
        for (int x = 1; x <= nx; x++) {
            next[y][x] = 0.25 * (now[y - 1][x] + now[y + 1][x] + now[y][x - 1] +
                                 now[y][x + 1]);
            change = fmax(change, fabs(next[y][x] - now[y][x]));
        }
    for (int y = 1; y <= ny; y++)
        for (int x = 1; x <= nx; x++)
            now[y][x] = next[y][x];
    return change;
}

int RCCE_APP(int argc, char **argv)
{
    double change = 1, most = 1, error = 0, worst = 0;
    int steps = 0;

    RCCE_init(&argc, &argv);
    iRCCE_init();
    int me = RCCE_ue();
    divide(me, RCCE_num_ues());
    start_values();
    for (; most > TOLERANCE; steps++) {
        exchange(me);
        change = step();
        /* Every tenth step is often enough to look. */
        if (steps % 10 == 9)
            RCCE_allreduce((char *)&change, (char *)&most, 1, RCCE_DOUBLE,
                           RCCE_MAX, RCCE_COMM_WORLD);
    }
    for (int y = 1; y <= ny; y++)
        for (int x = 1; x <= nx; x++)
            error =
                fmax(error, fabs(now[y][x] - exact(cx * nx + x, cy * ny + y)));
    RCCE_reduce((char *)&error, (char *)&worst, 1, RCCE_DOUBLE, RCCE_MAX, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d x %d points on %d x %d cores: %d steps, error %.4f\n", SIZE,
               SIZE, px, py, steps, worst);
    return RCCE_finalize();
}
