#include "npb_fluid.h"

#include <stdbool.h>

/* A polynomial in x, y and z for each unknown: 1; x, y, z; then their squares,
 * cubes and fourth powers [npb-1994, table 4.1]. */
static const double coefficients[5][13] = {
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
};

void npb_exact(double x, double y, double z, npb_point u)
{
    const double place[3] = {x, y, z};

    for (int m = 0; m < 5; m++) {
        const double *c = coefficients[m];
        u[m] = c[0];
        for (int a = 0; a < 3; a++) {
            double p = place[a];
            u[m] += p * (c[1 + a] +
                         p * (c[4 + a] + p * (c[7 + a] + p * c[10 + a])));
        }
    }
}

/* Whether a coordinate is one of the cube's faces. */
static bool is_face(double p)
{
    return p < 1e-9 || p > 1 - 1e-9;
}

/* Inside, the sum and products of what lies between exact values on two
 * opposite faces, for each axis; on a face the exact value. */
void npb_initial(double x, double y, double z, npb_point u)
{
    const double place[3] = {x, y, z};
    npb_point between[3];

    if (is_face(x) || is_face(y) || is_face(z)) {
        npb_exact(x, y, z, u);
        return;
    }
    for (int a = 0; a < 3; a++) {
        npb_point low, high;
        npb_exact(a == 0 ? 0 : x, a == 1 ? 0 : y, a == 2 ? 0 : z, low);
        npb_exact(a == 0 ? 1 : x, a == 1 ? 1 : y, a == 2 ? 1 : z, high);
        for (int m = 0; m < 5; m++)
            between[a][m] = (1 - place[a]) * low[m] + place[a] * high[m];
    }
    for (int m = 0; m < 5; m++) {
        double a = between[0][m], b = between[1][m], c = between[2][m];
        u[m] = a + b + c - a * b - a * c - b * c + a * b * c;
    }
}
