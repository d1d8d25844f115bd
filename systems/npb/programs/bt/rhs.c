/*
 * The right-hand side: differences of the fluxes along each axis, the viscous
 * part, second and fourth differences.
 */
#include "bt.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* What several differences need, of the cell and one neighbour on each side. */
static void prepare(struct bt_cell *cell)
{
    for (int k = -1; k <= cell->size[2]; k++)
        for (int j = -1; j <= cell->size[1]; j++) {
            int p = at(cell, k, j, -1);
            for (int i = -1; i <= cell->size[0]; i++, p++) {
                const double *v = cell->u[p];
                double inverse = 1 / v[0];
                double square =
                    0.5 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) * inverse;
                cell->rho_i[p] = inverse;
                for (int a = 0; a < 3; a++)
                    cell->speed[a][p] = v[1 + a] * inverse;
                cell->square[p] = square;
                cell->qs[p] = square * inverse;
            }
        }
}

/* Fourth differences; next to the cube's faces what there is of them. */
INLINE void smooth(double *r, const npb_point *v, int s, int place)
{
    int last = grid.points - 1;

    for (int m = 0; m < 5; m++) {
        double sum;
        if (place > 2 && place < last - 2)
            sum = v[-2 * s][m] - 4 * v[-s][m] + 6 * v[0][m] - 4 * v[s][m] +
                  v[2 * s][m];
        else if (place == 1)
            sum = 5 * v[0][m] - 4 * v[s][m] + v[2 * s][m];
        else if (place == 2)
            sum = -4 * v[-s][m] + 6 * v[0][m] - 4 * v[s][m] + v[2 * s][m];
        else if (place == last - 2)
            sum = v[-2 * s][m] - 4 * v[-s][m] + 6 * v[0][m] - 4 * v[s][m];
        else
            sum = v[-2 * s][m] - 4 * v[-s][m] + 5 * v[0][m];
        r[m] -= NPB_SMOOTHING * sum;
    }
}

INLINE double second(const double *x, int s)
{
    return x[s] - 2 * x[0] + x[-s];
}

/* One point's differences along an axis, of stride `s`. */
INLINE void differences(struct bt_cell *cell, int p, int s, int axis)
{
    double *r = cell->rhs[p];
    const npb_point *v = cell->u + p;
    const double *square = cell->square + p, *rho_i = cell->rho_i + p;
    const double *speed = cell->speed[axis] + p;
    double here = speed[0], next = speed[s], before = speed[-s];
    double t2 = 0.5 / grid.spacing;
    double t1 = 1 / (grid.spacing * grid.spacing);
    double viscous = NPB_C34 * t1;
    double diffusion = npb_diffusion(1 + axis) * t1;

    for (int m = 0; m < 5; m++)
        r[m] += diffusion * (v[s][m] - 2 * v[0][m] + v[-s][m]);
    r[0] -= t2 * (v[s][1 + axis] - v[-s][1 + axis]);
    for (int m = 1; m < 4; m++) {
        double change = v[s][m] * next - v[-s][m] * before;
        if (m == 1 + axis)
            change += (v[s][4] - square[s] - v[-s][4] + square[-s]) * NPB_C2;
        r[m] += (m == 1 + axis ? viscous * 4 / 3 : viscous) *
                    second(cell->speed[m - 1] + p, s) -
                t2 * change;
    }
    r[4] += viscous * (1 - NPB_C15) * second(cell->qs + p, s) +
            viscous / 6 * (next * next - 2 * here * here + before * before) +
            viscous * NPB_C15 *
                (v[s][4] * rho_i[s] - 2 * v[0][4] * rho_i[0] +
                 v[-s][4] * rho_i[-s]) -
            t2 * ((NPB_C1 * v[s][4] - NPB_C2 * square[s]) * next -
                  (NPB_C1 * v[-s][4] - NPB_C2 * square[-s]) * before);
}

INLINE void along(struct bt_cell *cell, int axis)
{
    const int *low = cell->low, *high = cell->high;
    int s = stride(cell, axis);

    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++) {
            int p = at(cell, k, j, low[0]), q = p;
            for (int i = low[0]; i < high[0]; i++, p++)
                differences(cell, p, s, axis);
            for (int i = low[0]; i < high[0]; i++, q++) {
                int place = axis == 0 ? i : axis == 1 ? j : k;
                smooth(cell->rhs[q], cell->u + q, s, cell->first[axis] + place);
            }
        }
}

void bt_right_hand_side(void)
{
    for (int c = 0; c < grid.side; c++) {
        struct bt_cell *cell = cells + c;
        const int *low = cell->low, *high = cell->high;
        size_t all = (size_t)cell->plane * (size_t)(cell->size[2] + 2 * GHOSTS);
        prepare(cell);
        memcpy(cell->rhs, cell->forcing, all * sizeof(npb_point));
        along(cell, 0);
        along(cell, 1);
        along(cell, 2);
        for (int k = low[2]; k < high[2]; k++)
            for (int j = low[1]; j < high[1]; j++)
                for (int i = low[0]; i < high[0]; i++)
                    for (int m = 0; m < 5; m++)
                        cell->rhs[at(cell, k, j, i)][m] *= grid.step;
    }
}
