/*
 * The two triangular solves of symmetric successive over-relaxation, one
 * plane of z at a time: blocks of 5 by 5 are made from the solution, then
 * the plane's corrections are solved for.
 */
#include "lu.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* A plane's blocks lie as the original's do, in Fortran: each column of a
 * block in one piece. */

/* A neighbour's block along an axis; `way` is 1 of the one after a point. */
INLINE void neighbour(npb_block block, const npb_point v, int axis, int way)
{
    double first = way * grid.step * 0.5 / grid.spacing;
    double second = grid.step / (grid.spacing * grid.spacing);
    npb_block inviscid, viscous;

    double r1 = 1 / v[0];
    double q = 0.5 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) * (r1 * r1);
    npb_jacobians(inviscid, viscous, v, r1, q, axis);
    for (int m = 0; m < 5; m++)
        for (int l = 0; l < 5; l++)
            block[l][m] =
                first * inviscid[m][l] -
                second * (viscous[m][l] + (m == l ? npb_diffusion(axis) : 0));
}

/* The diagonal block: along three axes what is viscous, and the differences.
 */
INLINE void diagonal(npb_block block, const npb_point v)
{
    double twice = 2 * grid.step / (grid.spacing * grid.spacing);
    double r1 = 1 / v[0], r2 = r1 * r1, r3 = r1 * r2;
    double own = 1 + twice * (0.75 + 0.75 + 1.0), heat = 0;
    double momentum = twice * NPB_C34 * (4.0 / 3 + 1 + 1);
    double energy = twice * 3 * NPB_C1345;

    for (int m = 0; m < 5; m++)
        for (int l = 0; l < 5; l++)
            block[l][m] = m == l ? own : 0;
    for (int m = 1; m < 4; m++) {
        block[0][m] = -momentum * r2 * v[m];
        block[m][m] += momentum * r1;
        block[m][4] = (momentum - energy) * r2 * v[m];
        heat += (momentum - energy) * (v[m] * v[m]);
    }
    block[0][4] = -heat * r3 - energy * r2 * v[4];
    block[4][4] += energy * r1;
}

/* sum += factor * block * v */
INLINE void add_product(double *sum, double factor, const npb_block block,
                        const npb_point v)
{
    for (int m = 0; m < 5; m++)
        sum[m] += factor * (block[0][m] * v[0] + block[1][m] * v[1] +
                            block[2][m] * v[2] + block[3][m] * v[3] +
                            block[4][m] * v[4]);
}

/* v becomes block^-1 v, by elimination without pivots. */
INLINE void solve(const npb_block block, double *v)
{
    npb_block t;

    memcpy(t, block, sizeof t);
    for (int p = 0; p < 4; p++) {
        double inverse = 1 / t[p][p];
        for (int m = p + 1; m < 5; m++) {
            double factor = inverse * t[p][m];
            for (int l = p + 1; l < 5; l++)
                t[l][m] -= factor * t[l][p];
            v[m] -= factor * v[p];
        }
    }
    for (int p = 4; p >= 0; p--) {
        for (int l = p + 1; l < 5; l++)
            v[p] -= t[l][p] * v[l];
        v[p] /= t[p][p];
    }
}

/* The plane's blocks, with those of neighbours before or after. */
INLINE void make_blocks(int k, int way)
{
    for (int j = grid.low[1]; j < grid.high[1]; j++) {
        const npb_point *v = u + at(k, j, grid.low[0]);
        int p = j * grid.count[0] + grid.low[0];
        for (int i = grid.low[0]; i < grid.high[0]; i++, v++, p++) {
            diagonal(block_d[p], v[0]);
            neighbour(block_z[p], v[way * grid.plane], NPB_Z, way);
            neighbour(block_y[p], v[way * grid.row], NPB_Y, way);
            neighbour(block_x[p], v[way], NPB_X, way);
        }
    }
}

void lu_lower(int k)
{
    make_blocks(k, -1);
    for (int j = grid.low[1]; j < grid.high[1]; j++) {
        npb_point *v = rsd + at(k, j, grid.low[0]);
        int p = j * grid.count[0] + grid.low[0];
        for (int i = grid.low[0]; i < grid.high[0]; i++, v++, p++)
            add_product(v[0], -OMEGA, block_z[p], v[-grid.plane]);
    }
    lu_receive_edges(k, -1);
    for (int j = grid.low[1]; j < grid.high[1]; j++) {
        npb_point *v = rsd + at(k, j, grid.low[0]);
        int p = j * grid.count[0] + grid.low[0];
        for (int i = grid.low[0]; i < grid.high[0]; i++, v++, p++) {
            double t[5];
            memcpy(t, v[0], sizeof t);
            add_product(t, -OMEGA, block_y[p], v[-grid.row]);
            add_product(t, -OMEGA, block_x[p], v[-1]);
            solve(block_d[p], t);
            memcpy(v[0], t, sizeof t);
        }
    }
    lu_send_edges(k, -1);
}

/* `tv`: the plane's part that comes from the planes above. */
void lu_upper(int k)
{
    make_blocks(k, 1);
    npb_point *tv = flux;
    for (int j = grid.low[1]; j < grid.high[1]; j++) {
        const npb_point *v = rsd + at(k, j, grid.low[0]);
        int p = j * grid.count[0] + grid.low[0];
        for (int i = grid.low[0]; i < grid.high[0]; i++, v++, p++) {
            memset(tv[p], 0, sizeof tv[p]);
            add_product(tv[p], OMEGA, block_z[p], v[grid.plane]);
        }
    }
    lu_receive_edges(k, 1);
    for (int j = grid.high[1] - 1; j >= grid.low[1]; j--) {
        npb_point *v = rsd + at(k, j, grid.high[0] - 1);
        int p = j * grid.count[0] + grid.high[0] - 1;
        for (int i = grid.high[0] - 1; i >= grid.low[0]; i--, v--, p--) {
            double t[5];
            memcpy(t, tv[p], sizeof t);
            add_product(t, OMEGA, block_y[p], v[grid.row]);
            add_product(t, OMEGA, block_x[p], v[1]);
            solve(block_d[p], t);
            for (int m = 0; m < 5; m++)
                v[0][m] -= t[m];
        }
    }
    lu_send_edges(k, 1);
}
