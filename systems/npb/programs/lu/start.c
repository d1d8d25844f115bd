/*
 * What the iterations start from, and what they are judged by.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "lu.h"

#include <math.h>
#include <string.h>

static double place(int global)
{
    return global * grid.spacing;
}

/* All of the core's points. */
static void fill(void (*solution)(double, double, double, npb_point))
{
    for (int k = 0; k < grid.points; k++)
        for (int j = 0; j < grid.count[1]; j++)
            for (int i = 0; i < grid.count[0]; i++)
                solution(place(grid.first[0] + i), place(grid.first[1] + j),
                         place(k), u[at(k, j, i)]);
    lu_exchange();
}

/* The forcing term is what the exact solution leaves without it. */
void lu_set_forcing(void)
{
    size_t bytes = (size_t)grid.points * (size_t)grid.plane * sizeof(npb_point);

    memset(frct, 0, bytes);
    fill(npb_exact);
    lu_right_hand_side();
    memcpy(frct, rsd, bytes);
}

void lu_start(void)
{
    fill(npb_initial);
    lu_right_hand_side();
}

static void sum(double *mine, double *all, int count)
{
    RCCE_coll_allreduce((char *)mine, (char *)all, count, RCCE_DOUBLE, RCCE_SUM,
                        RCCE_COMM_WORLD);
}

/* Over the points inside of the cube: of the residual, or of the error. */
static void norm_of(bool error, npb_point norm)
{
    npb_point squares = {0}, exact;
    double count = pow(grid.points - 2, 3);

    for (int k = 1; k < grid.points - 1; k++)
        for (int j = grid.low[1]; j < grid.high[1]; j++)
            for (int i = grid.low[0]; i < grid.high[0]; i++) {
                if (error)
                    npb_exact(place(grid.first[0] + i),
                              place(grid.first[1] + j), place(k), exact);
                for (int m = 0; m < 5; m++) {
                    int p = at(k, j, i);
                    double value = error ? exact[m] - u[p][m] : rsd[p][m];
                    squares[m] += value * value;
                }
            }
    sum(squares, norm, 5);
    for (int m = 0; m < 5; m++)
        norm[m] = sqrt(norm[m] / count);
}

void lu_residual(npb_point norm)
{
    norm_of(false, norm);
}

void lu_error(npb_point norm)
{
    norm_of(true, norm);
}

/* The weight of a place in a sum over cells' corners, from `a` to `b`. */
static double weight(int place, int a, int b)
{
    return place < a || place > b ? 0 : place == a || place == b ? 1 : 2;
}

/* The integral of the pressure over the faces of a box inside of the cube
 * [npb-1994, section 4.7.3]. */
double lu_surface(void)
{
    int last = grid.points - 1;
    const int from[3] = {1, 1, 2}, to[3] = {last - 1, last - 2, last - 1};
    double mine = 0, all;

    for (int k = 0; k <= last; k++)
        for (int j = 0; j < grid.count[1]; j++)
            for (int i = 0; i < grid.count[0]; i++) {
                const double *v = u[at(k, j, i)];
                int p[3] = {grid.first[0] + i, grid.first[1] + j, k};
                double w[3], faces = 0;
                for (int a = 0; a < 3; a++)
                    w[a] = weight(p[a], from[a], to[a]);
                for (int a = 0; a < 3; a++)
                    if (p[a] == from[a] || p[a] == to[a])
                        faces += w[(a + 1) % 3] * w[(a + 2) % 3];
                double kinetic =
                    0.5 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / v[0];
                mine += faces * NPB_C2 * (v[4] - kinetic);
            }
    sum(&mine, &all, 1);
    return 0.25 * all * grid.spacing * grid.spacing;
}
