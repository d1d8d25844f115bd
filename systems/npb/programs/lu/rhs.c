/*
 * The steady-state residual: differences of the fluxes along each axis, the
 * viscous part, second and fourth differences. Boxes of points are walked:
 * lines along x, planes along y, all along z.
 */
#include "lu.h"

#define INLINE static inline __attribute__((always_inline))

/* Points from `from` up to `to`: k, j, i. */
struct box {
    int from[3], to[3];
};

INLINE int stride(int axis)
{
    return axis == NPB_X ? 1 : axis == NPB_Y ? grid.row : grid.plane;
}

/* The flux of the gas itself along an axis. */
INLINE void fluxes(struct box b, int axis)
{
    int a = 3 - axis;

    b.from[a]--;
    b.to[a]++;
    for (int k = b.from[0]; k < b.to[0]; k++)
        for (int j = b.from[1]; j < b.to[1]; j++) {
            const npb_point *v = u + at(k, j, b.from[2]);
            npb_point *f = flux + at(k, j, b.from[2]);
            for (int i = b.from[2]; i < b.to[2]; i++, v++, f++) {
                double inverse = 1 / (*v)[0];
                double speed = (*v)[axis] * inverse;
                double q =
                    0.5 * inverse *
                    ((*v)[1] * (*v)[1] + (*v)[2] * (*v)[2] + (*v)[3] * (*v)[3]);
                (*f)[0] = (*v)[axis];
                for (int m = 1; m < 4; m++)
                    (*f)[m] = (*v)[m] * speed +
                              (m == axis ? NPB_C2 * ((*v)[4] - q) : 0);
                (*f)[4] = (NPB_C1 * (*v)[4] - NPB_C2 * q) * speed;
            }
        }
}

INLINE void first_differences(struct box b, int axis)
{
    double factor = 0.5 / grid.spacing;
    int s = stride(axis);

    for (int k = b.from[0]; k < b.to[0]; k++)
        for (int j = b.from[1]; j < b.to[1]; j++) {
            npb_point *r = rsd + at(k, j, b.from[2]);
            const npb_point *f = flux + at(k, j, b.from[2]);
            for (int i = b.from[2]; i < b.to[2]; i++, r++, f++)
                for (int m = 0; m < 5; m++)
                    (*r)[m] -= factor * (f[s][m] - f[-s][m]);
        }
}

/* The viscous flux between each point and the one before it. */
INLINE void viscous_fluxes(struct box b, int axis)
{
    double factor = 1 / grid.spacing;
    int s = stride(axis);

    b.to[3 - axis]++;
    for (int k = b.from[0]; k < b.to[0]; k++)
        for (int j = b.from[1]; j < b.to[1]; j++) {
            const npb_point *v = u + at(k, j, b.from[2]);
            npb_point *f = flux + at(k, j, b.from[2]);
            for (int i = b.from[2]; i < b.to[2]; i++, v++, f++) {
                double here[5], before[5], energy = 0, along = 0;
                double r = 1 / (*v)[0];
                for (int m = 1; m < 5; m++)
                    here[m] = r * (*v)[m];
                r = 1 / v[-s][0];
                for (int m = 1; m < 5; m++)
                    before[m] = r * v[-s][m];
                for (int m = 1; m < 4; m++) {
                    double change = here[m] * here[m] - before[m] * before[m];
                    energy += change;
                    if (m == axis)
                        along = change;
                    (*f)[m] = (m == axis ? factor * 4 / 3 : factor) *
                              (here[m] - before[m]);
                }
                (*f)[4] = factor * (0.5 * (1 - NPB_C15) * energy + along / 6 +
                                    NPB_C15 * (here[4] - before[4]));
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

INLINE void other_differences(struct box b, int axis)
{
    double second = npb_diffusion(axis) / (grid.spacing * grid.spacing);
    double viscous = NPB_C34 / grid.spacing;
    int s = stride(axis);

    for (int k = b.from[0]; k < b.to[0]; k++)
        for (int j = b.from[1]; j < b.to[1]; j++) {
            npb_point *r = rsd + at(k, j, b.from[2]);
            const npb_point *f = flux + at(k, j, b.from[2]);
            const npb_point *v = u + at(k, j, b.from[2]);
            for (int i = b.from[2]; i < b.to[2]; i++, r++, f++, v++) {
                int place = axis == NPB_X   ? grid.first[0] + i
                            : axis == NPB_Y ? grid.first[1] + j
                                            : k;
                for (int m = 0; m < 5; m++)
                    (*r)[m] += second * (v[-s][m] - 2 * v[0][m] + v[s][m]);
                for (int m = 1; m < 5; m++)
                    (*r)[m] += viscous * (f[s][m] - f[0][m]);
                smooth(*r, v, s, place);
            }
        }
}

INLINE void along(struct box b, int axis)
{
    fluxes(b, axis);
    first_differences(b, axis);
    viscous_fluxes(b, axis);
    other_differences(b, axis);
}

void lu_right_hand_side(void)
{
    struct box all = {{1, grid.low[1], grid.low[0]},
                      {grid.points - 1, grid.high[1], grid.high[0]}};

    for (int p = 0; p < grid.points * grid.plane; p++)
        for (int m = 0; m < 5; m++)
            rsd[p][m] = -frct[p][m];
    for (int k = 1; k < grid.points - 1; k++) {
        struct box b = all;
        b.from[0] = k;
        b.to[0] = k + 1;
        for (int j = grid.low[1]; j < grid.high[1]; j++) {
            b.from[1] = j;
            b.to[1] = j + 1;
            along(b, NPB_X);
        }
        b.from[1] = all.from[1];
        b.to[1] = all.to[1];
        along(b, NPB_Y);
    }
    along(all, NPB_Z);
}
